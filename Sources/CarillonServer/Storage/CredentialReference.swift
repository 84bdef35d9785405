import Foundation

/// The place of an app's credential for APNs, a file or an environment variable; never the credential itself.
package enum CredentialReference: Sendable, Hashable {
    /// A signing key (`AuthKey_….p8`) and its two ids.
    case signingKey(path: String, keyID: String, teamID: String)
    /// A certificate with its private key, as `.p12` or PEM.
    case certificate(path: String)

    package var path: String {
        switch self {
        case .signingKey(let path, _, _), .certificate(let path): path
        }
    }

    /// The prefix of a path that names an environment variable of the process, such as `env:CARILLON_KEY`.
    package static let variablePrefix = "env:"

    /// Reads the credential.
    ///
    /// - Returns: the bytes of the file or the environment variable; `nil` where it is missing, empty, or cannot be read.
    package static func contents(at path: String) -> Data? {
        guard path.hasPrefix(variablePrefix) else { return FileManager.default.contents(atPath: path) }
        let value = ProcessInfo.processInfo.environment[String(path.dropFirst(variablePrefix.count))] ?? ""
        return value.isEmpty ? nil : Data(value.utf8)
    }
}
