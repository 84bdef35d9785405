import Foundation
import Testing

/// docs/one-page.md is read by programs that write code with it, which believe every word.
@Suite("One page") struct OnePageTests {
    @Test("the page names every call of the OpenAPI document, and none that it has not")
    func calls() throws {
        let page = try text(of: "docs/one-page.md")
        let named = Set(page.matches(of: /(GET|POST|PATCH|DELETE) (\/[a-zA-Z0-9\/{}.-]+)/).map { "\($0.1) \($0.2)" })
        let described = try Self.describedCalls()
        #expect(described.count > 30, "the document could not be read")
        #expect(named.subtracting(described).isEmpty)
        #expect(described.subtracting(named).isEmpty)
    }

    @Test("each symbol of the SDK that the page uses is public")
    func symbols() throws {
        let page = try text(of: "docs/one-page.md")
        let surface = try text(of: "docs/sdk-surface.md")
        let names = page.matches(of: /carillon\.([a-zA-Z]+)|`([a-zA-Z]+)\(\)`/).compactMap { $0.1 ?? $0.2 }
        #expect(names.count >= 7)
        for name in names { #expect(surface.contains(name), "\(name)") }
    }

    @Test("each page that llms.txt links is there, and the one page is first")
    func links() throws {
        let links = try text(of: "llms.txt").matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
        #expect(links.first == "docs/one-page.md")
        for link in links { #expect(SourceTree.exists(link), "\(link)") }
    }

    private func text(of page: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: page), encoding: .utf8)
    }

    /// The calls that the sources of the OpenAPI document describe, such as "POST /v1/receipts".
    private static func describedCalls() throws -> Set<String> {
        var calls: Set<String> = []
        for file in try SourceTree.swiftFiles(under: "Sources/CarillonServer/API/OpenAPI") {
            var path: Substring?
            for line in file.lines {
                if let found = line.firstMatch(of: /"(\/[a-z0-9\/{}._-]+)": \{/) { path = found.1 }
                if let path, let method = line.firstMatch(of: /"(get|post|patch|delete)": \{/) {
                    calls.insert("\(method.1.uppercased()) \(path)")
                }
            }
        }
        return calls
    }
}
