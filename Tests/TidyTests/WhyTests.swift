import Foundation
import Testing

/// docs/why-not-shown.md has every sentence with which a phone explains itself.
@Suite("Why a push was not shown")
struct WhyTests {
    private static let page = "docs/why-not-shown.md"
    /// The sources in which the sentences stand, with the words before each.
    private static var sources: [(String, Regex<(Substring, Substring)>)] {
        [
            (
                "Sources/CarillonDevice/Notifications/Presentation.swift",
                #/(?:why\.append\(\s*|\? |: )"((?:[^"\\]|\\.)*)"/#
            ),
            ("Sources/CarillonDevice/Pushes/WakeDecision.swift", #/(?:why|case [^"]*): "((?:[^"\\]|\\.)*)"/#),
            ("Sources/CarillonDevice/Pushes/PushUnderWay.swift", #/"(not shown: (?:[^"\\]|\\.)*)"/#),
        ]
    }

    @Test("the page has each sentence of the phone, as far as it is fixed")
    func sentences() throws {
        let page = try String(contentsOf: SourceTree.root.appending(path: Self.page), encoding: .utf8)
        var count = 0
        for (path, pattern) in Self.sources {
            let source = try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
            for match in source.matches(of: pattern) {
                let fixed = String(match.1).replacing(/\\\([^)]*\)/, with: "\u{0}").split(separator: "\u{0}")
                guard let words = fixed.max(by: { $0.count < $1.count })?.trimmingCharacters(in: .whitespaces),
                    words.count > 8
                else { continue }
                count += 1
                #expect(page.contains(words), "\(path) says \"\(words)\", and \(Self.page) does not")
            }
        }
        #expect(count > 25, "the sentences are no longer found in the sources: \(count)")
    }
}
