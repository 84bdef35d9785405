import CarillonCore
import Foundation

/// The environment variables, from `APNS_URL` to `APNS_PID`, that tell a sender how to reach a simulator.
package struct SenderVariables {
    /// The names without `APNS_`, with their values, in the order in which they are printed.
    private let texts: [(name: String, text: String)]

    /// Makes the variables of a simulator.
    ///
    /// - Parameters:
    ///   - summary: the contents of `simulator.json`.
    ///   - directory: the simulator's folder.
    ///   - process: the id of the simulator's process.
    package init(_ summary: JSONValue, directory: String, process: Int32) {
        let texts: [(String, String?)] = [
            ("URL", summary["url"]?.stringValue), ("HOST", summary["host"]?.stringValue),
            ("PORT", summary["port"]?.intValue.map(String.init)), ("CA", summary["ca"]?.stringValue),
            ("KEY", summary["key"]?.stringValue), ("KEY_ID", summary["key_id"]?.stringValue),
            ("TEAM_ID", summary["team_id"]?.stringValue), ("TOPIC", summary["topic"]?.stringValue),
            ("DEVICE_TOKEN", summary["device_tokens"]?.arrayValue?.first?.stringValue),
            ("CERTIFICATE", summary["certificate"]?.stringValue),
            ("ADMIN_URL", summary["admin_url"]?.stringValue),
            ("DIRECTORY", URL(fileURLWithPath: directory, isDirectory: true).path), ("PID", String(process)),
        ]
        self.texts = texts.map { ($0, $1 ?? "") }
    }

    /// The variables, for the environment of a process.
    package var environment: [String: String] {
        Dictionary(uniqueKeysWithValues: texts.map { ("APNS_\($0.name)", $0.text) })
    }

    /// Commands for a POSIX shell that export the variables, one in each line.
    var shellCommands: String {
        texts.map { name, text in "export APNS_\(name)='\(text.replacing("'", with: #"'\''"#))'" }
            .joined(separator: "\n")
    }
}
