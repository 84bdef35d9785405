import Foundation
import Testing

/// docs/decisions has half a page for each decision, and a list of them.
@Suite("Decisions") struct DecisionTests {
    private static let folder = SourceTree.root.appending(path: "docs/decisions")
    /// The most words of a decision, about half a page.
    private static let wordLimit = 180

    private func pages() throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted().filter { $0 != "README.md" }.map
        {
            ($0, try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8))
        }
    }

    @Test("each has a number of its own, a title, a context, a decision and a consequence, and is short")
    func parts() throws {
        let pages = try pages()
        #expect(pages.count > 20 && Set(pages.map { $0.name.prefix(3) }).count == pages.count)
        for (name, text) in pages {
            let paragraphs = text.components(separatedBy: "\n\n")
            let heads = ["# \(name.prefix(3)): ", "**Context.** ", "**Decision.** ", "**Consequence.** "]
            #expect(
                zip(paragraphs, heads).allSatisfy { $0.hasPrefix($1) } && paragraphs.count == heads.count, "\(name)")
            let words = text.split(whereSeparator: \.isWhitespace).count
            #expect(words <= Self.wordLimit, "\(name) has \(words) words")
        }
    }

    @Test("the list has each with its title, in order")
    func list() throws {
        let list = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        let entries = list.split(separator: "\n").filter { $0.hasPrefix("- [") }.map(String.init)
        let expected = try pages().map { name, text in
            let title = text.split(separator: "\n")[0].dropFirst("# 000: ".count)
            return "- [\(name.prefix(3))](\(name)) \(title)"
        }
        #expect(entries == expected)
    }

    @Test("a path that a decision names is there")
    func paths() throws {
        for (name, text) in try pages() {
            for path in text.matches(of: /`((?:Sources|Tests|docs|scripts|Examples|SDK)\/[^` ]+)`/).map({ String($0.1) }
            ) {
                #expect(SourceTree.exists(path), "\(name) names \(path), which is not there")
            }
        }
    }
}
