import Foundation
import Testing

@testable import carillon

/// The table of docs/configuration.md is made from the options of `carillon serve`.
@Suite("docs/configuration.md")
struct ConfigurationPageTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/configuration.md").standardizedFileURL
    private static let marks = ("<!-- settings: begin -->\n", "<!-- settings: end -->")

    private static var table: String {
        var lines: [String] = []
        var section: String?
        for setting in ServeSetting.all {
            if lines.isEmpty || setting.section != section {
                section = setting.section
                lines += [
                    "", "### \(section ?? "The service")", "", "| setting | default | meaning |", "|---|---|---|",
                ]
            }
            let value =
                switch setting.form {
                case .value: setting.valueName
                case .list: "list of \(setting.valueName)"
                case .flag, .switched: "true or false"
                }
            let standard =
                switch setting.form {
                case .flag: "false"
                case .switched: "\(setting.standard == "--\(setting.name)")"
                default: setting.standard ?? ""
                }
            let sign = SettingsChange.adjustable.contains(setting.name) ? " ⟳" : ""
            lines.append("| `\(setting.name)`: \(value)\(sign) | \(standard) | \(setting.help) |")
        }
        return lines.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n"
    }

    @Test(
        "has the settings as the code has them: CARILLON_RECORD=1 swift test --filter ConfigurationPageTests writes it")
    func unchanged() throws {
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: Self.marks.0)?.upperBound)
        let stop = try #require(text.range(of: Self.marks.1)?.lowerBound)
        if ProcessInfo.processInfo.environment["CARILLON_RECORD"] != nil {
            text.replaceSubrange(start..<stop, with: Self.table)
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        let (known, now) = (text[start..<stop].split(separator: "\n"), Self.table.split(separator: "\n"))
        let difference = zip(known, now).first { $0 != $1 }
        #expect(known == now, "the first line that differs: \(String(describing: difference))")
    }
}
