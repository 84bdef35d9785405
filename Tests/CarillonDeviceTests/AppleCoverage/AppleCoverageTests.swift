import Foundation
import Testing

/// docs/apple-coverage.md says what there is of Apple's API. These tests hold it against the code.
@Suite("docs/apple-coverage.md") struct AppleCoverageTests {
    private static let modules = [
        "UserNotifications", "UserNotificationsUI", "CoreLocation", "Intents", "UIKit", "SafariServices", "PushKit",
        "CallKit", "AVFAudio", "BackgroundTasks", "SwiftUI", "ActivityKit", "WidgetKit",
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
        if ProcessInfo.processInfo.environment["CARILLON_RECORD_COVERAGE"] != nil {
            let recorded = text.replacingCharacters(in: start..<stop, with: expected)
            try recorded.write(
                to: Self.root.appending(path: "docs/apple-coverage.md"), atomically: true, encoding: .utf8)
            return
        }
        let listed = Set(text[start..<stop].components(separatedBy: "\n"))
        let present = Set(expected.components(separatedBy: "\n"))
        #expect(
            present.subtracting(listed).sorted() == [],
            "not listed as the code has it; CARILLON_RECORD_COVERAGE=1 writes the tables anew")
        #expect(listed.subtracting(present).sorted() == [], "listed, but not in the code like that")
    }

    /// Everything that the sources have: types, `Type.member`, and `Delegate.method(_:with:)`.
    private func present() throws -> Set<String> {
        var present: Set<String> = []
        for module in Self.modules {
            for (type, members) in try symbols(module).members {
                present.insert(type)
                present.formUnion(members.map { type.isEmpty ? $0 : "\(type).\($0)" })
            }
        }
        let source = try Self.modules.map(sources(of:)).joined()
        for type in AppleSymbols.methods.keys {
            present.formUnion(MethodNames(protocol: type, in: source).names.map { "\(type).\($0)" })
        }
        return present
    }

    private func sources(of module: String) throws -> String {
        let folder = Self.root.appending(path: "Sources/AppleFrameworks/\(module)")
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined(separator: "\n")
    }

    /// The names in the table of what is missing.
    private func missing() throws -> [String] {
        let text = try ledger()
        let start = try #require(text.range(of: "<!-- missing: begin -->")?.upperBound)
        let stop = try #require(text.range(of: "<!-- missing: end -->")?.lowerBound)
        return text[start..<stop].components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            .flatMap { row in
                // A row may name several: the odd pieces of its first column are code.
                row.components(separatedBy: " | ")[0].components(separatedBy: "`").enumerated()
                    .filter { $0.offset % 2 == 1 }.map(\.element)
            }
    }

    @Test("what it calls missing is missing")
    func missingIsMissing() throws {
        let (missing, present) = (try missing(), try present())
        #expect(missing.count > 10)
        let found = missing.filter(present.contains)
        #expect(found == [], "called missing, but there")
    }

    @Test("everything that Apple's headers list is there, or is called missing with a reason")
    func appleIsCovered() throws {
        let (present, missing) = (try present(), Set(try missing()))
        var expected: Set<String> = []
        for (type, members) in AppleSymbols.members {
            if !type.isEmpty { expected.insert(type) }
            for name in members.split(whereSeparator: \.isWhitespace) {
                expected.insert(type.isEmpty ? String(name) : "\(type).\(name)")
            }
        }
        for (type, names) in AppleSymbols.methods {
            for name in names.split(whereSeparator: \.isWhitespace) { expected.insert("\(type).\(name)") }
        }
        #expect(expected.count > 500)
        let lost = expected.subtracting(present).subtracting(missing).sorted()
        #expect(lost == [], "neither there nor called missing in docs/apple-coverage.md")
    }
}
