import Foundation
import Testing

/// The table of the five articles: every statement, in order, and the tests that play it.
@Suite("The five articles") struct ArticleTests {
    private static let page = "docs/the-five-articles.md"
    private static let statements = 225

    private struct Row {
        let number: Int
        let place: String
        let tests: [String]
    }

    private func rows() throws -> [Row] {
        let text = try String(contentsOf: SourceTree.root.appending(path: Self.page), encoding: .utf8)
        return text.components(separatedBy: "\n").compactMap { line in
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 7, let number = Int(cells[1]) else { return nil }
            let tests = [cells[4], cells[5]].flatMap(Self.names)
            return Row(number: number, place: cells[3], tests: tests)
        }
    }

    /// Every `File.function` between backticks.
    private static func names(in cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            .filter { $0.wholeMatch(of: /(test_[a-z]+\.test_\w+|[A-Z]\w+Tests\.\w+)/) != nil }
    }

    @Test("has all of their statements, in order")
    func isComplete() throws {
        #expect(try rows().map(\.number) == Array(1...Self.statements))
    }

    @Test("has a test for each statement, or says why it does not apply")
    func isPlayed() throws {
        for row in try rows() where row.tests.isEmpty {
            #expect(row.place.contains("does not apply, because"), "statement \(row.number)")
        }
    }

    @Test("names tests that are there")
    func exist() throws {
        let files = try SourceTree.textFiles().filter { $0.path.hasPrefix("Tests/") }
        for row in try rows() {
            for name in row.tests {
                let parts = name.components(separatedBy: ".")
                let isBrowser = parts[0].hasPrefix("test_")
                let file = "/\(parts[0])." + (isBrowser ? "py" : "swift")
                let declaration = (isBrowser ? "def " : "func ") + parts[1] + "("
                let isThere = files.contains { $0.path.hasSuffix(file) && $0.text.contains(declaration) }
                #expect(isThere, "statement \(row.number) names \(name)")
            }
        }
    }
}
