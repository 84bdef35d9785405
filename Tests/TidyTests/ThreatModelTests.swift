import Foundation
import Testing

/// docs/threat-model.md names tests for its claims, and those tests exist.
@Suite("The threat model") struct ThreatModelTests {
    private static let page = "docs/threat-model.md"

    @Test("each test that the threat model names is in the file that it names, and runs")
    func titles() throws {
        let lines = try text().split(separator: "\n").filter { $0.contains("Test: ") }
        #expect(lines.count > 30)
        for line in lines {
            let match = try #require(
                line.wholeMatch(of: /\ *- Test: "(?<title>.+)" \(`(?<path>Tests\/.+\.swift)`\)/),
                #"write it as - Test: "title" (`Tests/…/File.swift`): \#(line)"#)
            let path = String(match.path)
            try #require(SourceTree.exists(path), "\(Self.page) names \(path), which is not there")
            let file = try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
            #expect(file.contains(try declaration(of: match.title)), "\(path) has no test \"\(match.title)\"")
        }
    }

    /// Returns the pattern of `@Test("title"`, on one line or two, and not disabled.
    private func declaration(of title: Substring) throws -> Regex<Substring> {
        try Regex(
            #"@Test\(\s*"\#(NSRegularExpression.escapedPattern(for: String(title)))"(?!\s*,\s*\.disabled)"#,
            as: Substring.self)
    }

    @Test("the threat model has all ten of OWASP's risks, each with a test that shows what is done")
    func risks() throws {
        let sections = try text().components(separatedBy: "\n## ").joined(separator: "\n### ")
            .components(separatedBy: "\n### ")
        for number in 1...10 {
            let section = sections.first { $0.hasPrefix("API\(number):2023 ") }
            #expect(section?.contains("Test: ") == true, "API\(number):2023")
        }
    }

    private func text() throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: Self.page), encoding: .utf8)
    }
}
