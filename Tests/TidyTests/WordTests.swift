import Foundation
import Testing

/// Comments and pages have the words of the house style (section English), so that one reading is enough.
@Suite("Words")
struct WordTests {
    @Test("comments begin with a noun or a verb, and their sentences are short")
    func comments() throws {
        var count = 0
        var findings: [WordRules.Finding] = []
        for file in try SourceTree.swiftFiles(under: "Sources", "Tests", "Examples", "Fuzz") {
            count += WordRules.comments(in: file.lines).count
            findings += WordRules.findings(inComments: file)
        }
        try #require(count > 5000)
        Self.report(findings)
        #expect(WordExceptions.excused.count * 50 <= count, "at most 2 % of the comments may be excused")
    }

    @Test("the sentences on pages are short")
    func pages() throws {
        let pages = try SourceTree.textFiles().filter { file in
            file.path.hasSuffix(".md") && !file.path.hasPrefix("Tests/") && file.path != "CHANGELOG.md"
        }
        try #require(pages.count > 50)
        Self.report(pages.flatMap(WordRules.findings(inPage:)))
    }

    @Test("each excuse is for a fault that is there, and has a reason")
    func excuses() throws {
        for excuse in WordExceptions.excused {
            let url = SourceTree.root.appending(path: excuse.path)
            let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
            let file = SourceTree.File(path: excuse.path, text: "", lines: lines, codeLines: [])
            let isPage = excuse.path.hasSuffix(".md")
            let findings = isPage ? WordRules.findings(inPage: file) : WordRules.findings(inComments: file)
            #expect(findings.contains(where: excuse.covers), "\(excuse.path) has no fault in \"\(excuse.text)\"")
            #expect(excuse.reason.count > 20, "\(excuse.path): \"\(excuse.text)\" needs a reason")
        }
    }

    @Test(
        "a comment with a fault is found",
        arguments: [
            ("/// What proves who got a push.", "begins with \"What\""),
            ("/// Where the phones are.", "begins with \"Where\""),
            ("/// That of the folder; `nil` for none.", "begins with \"That of\""),
            ("/// The same phone as before.", "begins with \"The same\""),
            ("/// Returns the devices, of which some are\n/// gone.", "\"of which\""),
            ("/// Waits for a second, in which time nothing is sent.", "\"in which time\""),
            ("// One device, and the same for the others.", "\"the same\""),
            ("// The second run does the same.", "\"the same\""),
            ("/// Returns a list.\n///\n/// - Returns: \(sentence(words: 36)).", "37 words"),
            (
                "// \(sentence(words: 20)), `a b c`, [a page](https://example.com) and\n// \(sentence(words: 14)).",
                "38 words"
            ),
        ])
    func faults(comment: String, fault: String) {
        let found = Self.findings(in: comment)
        #expect(found.count == 1)
        #expect(found.first?.contains(fault) == true, "\(found)")
    }

    @Test(
        "a comment without a fault is not found",
        arguments: [
            "/// Whether the phone is locked.",
            "/// Returns the devices.\n///\n/// Whatever fails is retried.",
            "// What follows is code that a test reads.",
            "/// Sends both pushes at the same time, from the same thread.",
            "/// Returns the lines, such as `the same`, or \"in which time\".",
            "/// \(sentence(words: 35)). \(sentence(words: 35))! \(sentence(words: 35)).",
            "/// A summary.\n///\n/// - \(sentence(words: 30))\n/// - \(sentence(words: 30))",
            "/// A summary.\n///\n/// ```\n/// What \(sentence(words: 40))\n/// ```",
            "let text = \"\"\"\n    // What is no comment.\n    \"\"\"",
        ])
    func correct(comment: String) {
        #expect(Self.findings(in: comment) == [])
    }

    private static func findings(in text: String) -> [String] {
        let lines = text.components(separatedBy: "\n")
        return WordRules.findings(
            inComments: SourceTree.File(path: "", text: text, lines: lines, codeLines: [])
        ).map(\.fault)
    }

    private static func sentence(words: Int) -> String {
        "A" + String(repeating: " word", count: words - 1)
    }

    /// Records each fault that has no excuse.
    private static func report(_ findings: [WordRules.Finding]) {
        for finding in findings where !WordExceptions.excused.contains(where: { $0.covers(finding) }) {
            Issue.record("\(finding.words)")
        }
    }
}
