import Foundation
import Testing

/// docs/apple-coverage.md says what there is of Apple's API. These tests hold it against the code.
@Suite("docs/apple-coverage.md") struct LedgerTests {
    private static let modules = [
        "UserNotifications", "UserNotificationsUI", "CoreLocation", "Intents", "UIKit", "SafariServices",
    ]

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func ledger() throws -> String {
        try String(contentsOf: Self.root.appending(path: "docs/apple-coverage.md"), encoding: .utf8)
    }

    private func symbols(_ module: String) throws -> SourceSymbols {
        try SourceSymbols(folder: Self.root.appending(path: "Sources/AppleFrameworks/\(module)"))
    }

    /// The table between the module's markers.
    private func table(_ module: String, _ symbols: SourceSymbols) -> String {
        let rows = symbols.members.keys.sorted().map { type -> String in
            let differences = symbols.differences[type] ?? []
            let names = symbols.members[type, default: []].sorted().map { "`\($0)`" }.joined(separator: " ")
            return "| \(type.isEmpty ? "(global)" : "`\(type)`") | \(differences.isEmpty ? "done" : "differs") "
                + "| \(names) | \(differences.joined(separator: " ")) |"
        }
        return (["| symbol | state | members | how it differs |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    // Serialized, because recording reads and writes one file.
    @Test(
        "lists every public symbol of the Apple-named modules, and none that is not there", .serialized,
        arguments: modules)
    func matchesTheCode(_ module: String) throws {
        let text = try ledger()
        let begin = "<!-- \(module): begin -->\n"
        let end = "\n<!-- \(module): end -->"
        let start = try #require(text.range(of: begin)?.upperBound)
        let stop = try #require(text.range(of: end)?.lowerBound)
        let expected = table(module, try symbols(module))
        if ProcessInfo.processInfo.environment["CARILLON_RECORD_LEDGER"] != nil {
            let recorded = text.replacingCharacters(in: start..<stop, with: expected)
            try recorded.write(
                to: Self.root.appending(path: "docs/apple-coverage.md"), atomically: true, encoding: .utf8)
            return
        }
        let listed = Set(text[start..<stop].components(separatedBy: "\n"))
        let present = Set(expected.components(separatedBy: "\n"))
        #expect(
            present.subtracting(listed).sorted() == [],
            "not listed as the code has it; CARILLON_RECORD_LEDGER=1 writes the tables anew")
        #expect(listed.subtracting(present).sorted() == [], "listed, but not in the code like that")
    }

    @Test("what it calls missing is missing")
    func missingIsMissing() throws {
        let text = try ledger()
        let start = try #require(text.range(of: "<!-- missing: begin -->")?.upperBound)
        let stop = try #require(text.range(of: "<!-- missing: end -->")?.lowerBound)
        let rows = text[start..<stop].components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 10)
        var present: Set<String> = []
        for module in Self.modules {
            for (type, members) in try symbols(module).members {
                present.insert(type)
                present.formUnion(members.map { type.isEmpty ? $0 : "\(type).\($0)" })
            }
        }
        for row in rows {
            let name = row.split(separator: "`").dropFirst().first.map(String.init) ?? ""
            let exists = present.contains(name)
            #expect(!exists, "\(name) exists")
        }
    }
}
