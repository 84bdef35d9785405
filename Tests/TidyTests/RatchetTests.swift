import Foundation
import Testing

@Suite("Ratchets")
struct RatchetTests {
    @Test("the longest function only shrinks")
    func functions() throws {
        var longest: (path: String, function: FunctionScanner.Function)?
        for file in try SourceTree.swiftFiles(under: "Sources") {
            for function in FunctionScanner.functions(in: file.text)
            where function.lineCount > longest?.function.lineCount ?? 0
                && !Self.isExhaustiveSwitch(file.lines[(function.line - 1)..<(function.line - 1 + function.lineCount)])
            {
                longest = ("\(file.path):\(function.line) \(function.name)", function)
            }
        }
        let found = try #require(longest)
        Self.hold(
            found.function.lineCount, at: Ratchets.longestFunction, "longestFunction", of: found.path,
            remedy: "take a part out of it")
    }

    @Test("the scanner knows a function from what only looks like one")
    func scanner() {
        let text = #"""
            protocol P { func required(_ x: Int) -> Bool }
            struct A {
                // func commented() {
                init(_ x: Int) { self.x = x }
                func one(
                    _ text: String
                ) -> String {
                    let inner = "} \(text.map { "\($0)}" }.joined()) {"
                    func nested() {}
                    return inner + """
                        }}} func no() {
                        """
                }
                var property: Int { .init(3) }
            }
            """#
        let found = FunctionScanner.functions(in: text).map { "\($0.name) \($0.line) \($0.lineCount)" }
        #expect(found == ["init 4 1", "nested 9 1", "one 5 9"])
    }

    @Test("the lines of a type inside another count for itself")
    func nestedTypes() {
        let lines = [
            "struct A {", "    var x = 1", "    enum Kind: String {", "        case one", "    }",
            "    struct Empty {}", "    class func no() {}", "}", "extension A.Kind {", "    var y: Int { 2 }", "}",
        ]
        let file = SourceTree.File(
            path: "", text: "", lines: lines, codeLines: lines.enumerated().map { ($0.offset + 1, $0.element) })
        #expect(SourceTypes.codeLines(of: file) == ["A": 4, "A.Kind": 6, "A.Empty": 1])
    }

    @Test("a function that is one switch over all cases, each of them short, may be long")
    func exhaustiveSwitches() {
        let short = [
            "    func f() {", "        switch self {", "        case .a: one()", "        case .b:",
            "            two()",
        ]
        let end = ["        }", "    }"]
        #expect(Self.isExhaustiveSwitch((short + end)[...]))
        #expect(!Self.isExhaustiveSwitch((short + ["        default: three()"] + end)[...]))
        #expect(!Self.isExhaustiveSwitch((short + Array(repeating: "            x()", count: 8) + end)[...]))
        #expect(!Self.isExhaustiveSwitch(([short[0], "        g()"] + short.dropFirst() + end)[...]))
        #expect(!Self.isExhaustiveSwitch((short + [end[0], "        g()", end[1]])[...]))
    }

    /// Returns whether a function consists of one switch without `default` whose cases have at most eight lines each.
    ///
    /// Such a function is a table: the compiler sees a forgotten case, and a reader looks up one.
    private static func isExhaustiveSwitch(_ lines: ArraySlice<String>) -> Bool {
        let body = lines.dropFirst().dropLast()
        guard let first = body.first, let last = body.last, let indent = first.firstIndex(of: "s") else { return false }
        let margin = first[..<indent]
        guard first.hasPrefix(margin + "switch "), last == margin + "}" else { return false }
        var caseLength = 0
        for line in body.dropFirst().dropLast() {
            if line.hasPrefix(margin + "default:") || line == margin + "}" { return false }
            caseLength = line.hasPrefix(margin + "case ") ? 1 : caseLength + 1
            if caseLength > 8 { return false }
        }
        return true
    }

    private static func hold(_ value: Int, at limit: Int, _ name: String, of place: String, remedy: String) {
        if value > limit { Issue.record("\(place) has \(value) lines, the most allowed is \(limit): \(remedy)") }
        if value < limit {
            Issue.record("Ratchets.\(name) may be lowered to \(value) now, so that it stays there (\(place))")
        }
    }
}
