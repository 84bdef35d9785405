import Foundation
import Testing

/// What the documentation shows is what is built and run.
@Suite("Documentation") struct DocumentationTests {
    @Test("every piece of Swift on the page about testing stands in the example that make test runs")
    func testOnLinux() throws {
        let files = try SourceTree.swiftFiles(under: "Examples/Ferry").map(\.text)
        #expect(!files.isEmpty)
        for block in try Self.swiftBlocks(of: "docs/test-on-linux.md")
        where !files.contains(where: { $0.contains(block) }) {
            Issue.record("docs/test-on-linux.md shows what Examples/Ferry does not have:\n\(block)")
        }
    }

    private static func swiftBlocks(of page: String) throws -> [String] {
        let text = try String(contentsOf: SourceTree.root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().compactMap { rest in
            rest.range(of: "```").map { String(rest[..<$0.lowerBound]) }
        }
    }
}
