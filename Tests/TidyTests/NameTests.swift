import Foundation
import Testing

/// Each name means one thing, and is a word of the field.
@Suite("Names")
struct NameTests {
    @Test("no top-level name is declared twice")
    func once() throws {
        var places: [String: [String]] = [:]
        for file in try SourceTree.swiftFiles(under: "Sources", "Examples/Chime") {
            for (_, line) in file.codeLines {
                // An alias for a type of that name is allowed.
                if let name = Self.declaredName(line), !line.contains(".\(name)"), !Self.isApples(name, file.path) {
                    places[name, default: []].append(file.path)
                }
            }
        }
        try #require(places.count > 500)
        for (name, files) in places.sorted(by: { $0.key < $1.key }) where files.count > 1 {
            Issue.record("\(name) is declared in \(files.joined(separator: " and ")): tell them apart")
        }
    }

    /// ActivityKit has a type of the name that APNs' header has: an app never sees both.
    private static func isApples(_ name: String, _ path: String) -> Bool {
        name == "PushType" && path.hasPrefix("Sources/AppleFrameworks/ActivityKit/")
    }

    @Test("types and files have the field's words, not the old ones")
    func types() throws {
        var findings: [String] = []
        for file in try SourceTree.swiftFiles(under: "Sources", "Tests", "Examples", "Fuzz")
        where !Self.haveWordsOfTheirOwn.contains(where: file.path.hasPrefix) {
            var names = Set(file.codeLines.compactMap { Self.declaredName($0.1, anywhere: true) })
            names.insert(URL(fileURLWithPath: file.path).deletingPathExtension().lastPathComponent)
            for name in names {
                for word in Self.oldTypes where Self.words(of: name).contains(word.old) {
                    findings.append("\(file.path): \(name): \(word.instead)")
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test("code, pages and messages do not use the old words")
    func words() throws {
        var findings: [String] = []
        for file in try SourceTree.textFiles() where !file.path.hasPrefix("Tests/TidyTests") {
            for (number, line) in file.lines.enumerated() {
                let words = Self.words(of: line)
                for word in Self.oldWords where words.contains(word.old) {
                    findings.append("\(file.path):\(number + 1): \(word.old): \(word.instead)")
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    /// The folders with names from elsewhere: Apple's, and those of other people's apps.
    private static let haveWordsOfTheirOwn = ["Sources/AppleFrameworks/", "Tests/Apps/"]

    private typealias Word = (old: String, instead: String)

    /// The words that must not be part of a type's or a file's name.
    private static let oldTypes: [Word] = [
        ("cast", "the local stack"), ("stage", "the demo environment, or a fixture"), ("house", "the demo service"),
        ("ledger", "what it is: page state, deadlines, a record"), ("book", "an index"),
        ("story", "a scenario, a history, a log"),
        ("turns", "the process scheduler"), ("air", "the network model"), ("play", "a run"), ("wish", "a request"),
        ("world", "a test system"), ("chance", "a random source"),
    ]

    /// The words that must not occur anywhere.
    private static let oldWords: [Word] = [
        ("theatre", "the demo runner"), ("shelf", "the phone host"), ("desk", "the message policy"),
        ("fate", "the fault model"), ("judge", "the invariants"), ("veteran", "an app in Swift 4"),
        ("centre", "center, as Apple spells it"), ("centred", "centered"), ("housekeeper", "the retention purger"),
    ]

    /// Returns the name of the type or global function that a line declares; private ones may repeat.
    private static func declaredName(_ line: String, anywhere: Bool = false) -> String? {
        guard anywhere || line.first.map({ !$0.isWhitespace }) == true, !line.contains("private ") else { return nil }
        let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }).map(
            String.init)
        let kinds = ["class", "struct", "enum", "actor", "protocol", "typealias"]
        guard let index = words.firstIndex(where: kinds.contains), index + 1 < words.count,
            words[..<index].allSatisfy({ $0.hasPrefix("@") || modifiers.contains($0) })
        else { return nil }
        return words[index + 1]
    }

    private static let modifiers: Set<String> = [
        "public", "package", "open", "internal", "final", "indirect", "nonisolated", "MainActor", "spi", "Simulation",
    ]

    /// Returns the words of a text in lower case; `MessageDesk` has two.
    private static func words(of text: String) -> Set<String> {
        var words: Set<String> = []
        var word = ""
        for character in text {
            if !character.isLetter || (character.isUppercase && word.last?.isLowercase == true) {
                words.insert(word.lowercased())
                word = ""
            }
            if character.isLetter { word.append(character) }
        }
        words.insert(word.lowercased())
        return words
    }
}
