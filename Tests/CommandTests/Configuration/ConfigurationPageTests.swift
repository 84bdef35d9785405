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
        func title(_ setting: ServeSetting) -> String { setting.section ?? "The service" }
        var titles: [String] = []
        for title in ServeSetting.all.map(title) where !titles.contains(title) { titles.append(title) }
        let parts = titles.map { heading in
            ["### \(heading)", "", "| setting | default | meaning |", "|---|---|---|"]
                + ServeSetting.all.filter { title($0) == heading }.map(row)
        }
        return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func row(_ setting: ServeSetting) -> String {
        let (value, standard) =
            switch setting.form {
            case .value: (setting.valueName, setting.standard ?? "")
            case .list: ("list of \(setting.valueName)", setting.standard ?? "")
            case .flag: ("true or false", "false")
            case .switched: ("true or false", "\(setting.standard == "--\(setting.name)")")
            }
        let sign = SettingsChange.adjustable.contains(setting.name) ? " ⟳" : ""
        return "| `\(setting.name)`: \(value)\(sign) | \(standard) | \(setting.help) |"
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
