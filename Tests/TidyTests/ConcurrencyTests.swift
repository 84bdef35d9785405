import Foundation
import Testing

@Suite("Concurrency")
struct ConcurrencyTests {
    @Test("each @unchecked Sendable has its reason beside it")
    func reasons() throws {
        var findings: [String] = []
        for file in try SourceTree.swiftFiles(under: "Sources", "Examples", "Tests", "Fuzz")
        where !file.path.hasPrefix("Tests/TidyTests") {
            for (number, line) in file.codeLines where line.contains("@unchecked Sendable") {
                if !Self.hasReason(file.lines, at: number - 1) {
                    findings.append(
                        "\(file.path):\(number): say in a comment with the word `@unchecked` why it is safe")
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    /// Returns whether a comment with the reason stands above the declaration, on its lines, or right below its opening
    /// bracket.
    private static func hasReason(_ lines: [String], at index: Int) -> Bool {
        let isComment = { (line: String) in line.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
        let isPart = { (line: String) in
            isComment(line) || line.trimmingCharacters(in: .whitespaces).hasPrefix("@") || line.hasSuffix(",")
        }
        let above = lines[..<index].reversed().prefix(while: isPart)
        let head = lines[index...].prefix { !$0.contains("{") }
        let body = lines[(index + head.count)...]
        let below = body.dropFirst().prefix(while: isComment)
        return (above + head + body.prefix(1) + below).contains { line in
            line.range(of: "//").map { line[$0.upperBound...].lowercased().contains("unchecked") } ?? false
        }
    }
}
