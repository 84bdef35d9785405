import ArgumentParser
import CarillonCore
import CarillonExplain
import CommandSupport
import Foundation

/// `carillon validate`: explains a payload key by key.
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Explains a payload key by key: what APNs checks and what a phone does with it.",
        discussion: """
            Exit status: 0 when APNs accepts the payload and a phone can read it, 1 otherwise.

            Examples:
              carillon validate news.json
              echo '{"aps":{"alert":"Breaking News!","badge":"3"}}' | carillon validate -
              carillon validate --push-type background refresh.json
            """)

    @Argument(help: ArgumentHelp("A JSON file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: "Explain it for this apns-push-type. (default: the one that fits the payload)")
    var pushType: PushType?

    @Option(help: "Check this apns-priority too: 10, 5 or 1.")
    var priority: Int?

    @Flag(help: "Refuse what APNs takes although Apple's documents forbid it, as apns-simulator --strict does.")
    var strict = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let data = try CommandFile.dataOrInput(at: file, option: "the payload")
        let explanation = PayloadExplanation(of: data, pushType: pushType, priority: priority, isStrict: strict)
        if json {
            try StandardOutput.write(json: try CarillonJSON.encode(explanation))
        } else {
            try StandardOutput.write(explanation.text)
        }
        if !explanation.isUsable { throw ExitCode.failure }
    }
}

extension PayloadExplanation {
    /// The explanation as text for a terminal: a summary, then a line for each key of the payload.
    ///
    /// Each line about a key begins with a sign for the severity of the finding.
    fileprivate var text: String {
        let head = "apns-push-type \(pushType.rawValue), \(byteCount) of \(byteLimit) bytes"
        let width = min(lines.map(\.key.count).max() ?? 0, 32)
        let keys = lines.map { line in
            let key = line.key.isEmpty ? "payload" : line.key
            return
                "\(line.severity.sign) \(key.padding(toLength: max(width, key.count), withPad: " ", startingAt: 0))  \(line.meaning)"
        }
        return ([head] + summary.map { "→ \($0)" } + [""] + keys).joined(separator: "\n")
    }
}

extension PayloadExplanation.Severity {
    fileprivate var sign: String {
        switch self {
        case .fine: "✔"
        case .warning: "!"
        case .error: "✘"
        }
    }
}
