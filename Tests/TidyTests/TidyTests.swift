import Foundation
import Testing

/// Checks of style that the compiler cannot make: words that are banned in some places, each with its replacement.
@Suite("Tidy")
struct TidyTests {
    @Test("banned words stay out of the libraries, each has a replacement")
    func bannedWords() throws {
        var findings: [String] = []
        // The articles' apps keep the articles' words.
        for file in try SourceTree.swiftFiles(under: "Sources", "Examples")
        where !file.path.contains("/Tests/") && !file.path.hasPrefix("Examples/Articles/") {
            for (number, line) in file.codeLines {
                for ban in Ban.all where ban.applies(to: file.path) && ban.matches(line) {
                    findings.append("\(file.path):\(number): \(ban.word): \(ban.instead)")
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test("tests await events and never sleep")
    func testsDoNotSleep() throws {
        for file in try SourceTree.swiftFiles(under: "Tests") where !file.path.hasPrefix("Tests/TidyTests") {
            for (number, line) in file.codeLines where line.contains("Task.sleep") || line.contains("usleep(") {
                Issue.record("\(file.path):\(number): await the event instead of sleeping")
            }
        }
    }
}
