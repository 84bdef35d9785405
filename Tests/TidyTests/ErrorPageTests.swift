import Foundation
import Testing

/// docs/errors.md has a section for each `type` of a problem, by which programs decide.
@Suite("The page of errors") struct ErrorPageTests {
    @Test("has every type that the service answers with, and no other")
    func types() throws {
        var found: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonServer") {
            let text = file.lines.joined(separator: "\n")
            for match in text.matches(of: /Problem\(\s*(?:HTTPResponse\.Status\(code: \d+\)|\.\w+),\s*"([a-z-]+)"/) {
                found.insert(String(match.1))
            }
            for match in text.matches(of: /\.?conflict\(\s*"([a-z-]+)"/) { found.insert(String(match.1)) }
        }
        let page = try String(contentsOf: SourceTree.root.appending(path: "docs/errors.md"), encoding: .utf8)
        let described = Set(page.matches(of: /\n### ([a-z-]+)\n/).map { String($0.1) })
        #expect(found.count > 50, "the sources could not be read")
        #expect(found.subtracting(described).isEmpty, "\(found.subtracting(described).sorted())")
        #expect(described.subtracting(found).isEmpty, "\(described.subtracting(found).sorted())")
    }
}
