import Foundation

/// A banned word, its replacement, and the places where it is allowed.
struct Ban {
    let word: String
    let instead: String
    /// The path prefixes where the word is allowed, each because that place's job needs it.
    let allowedIn: [String]

    func applies(to path: String) -> Bool { !allowedIn.contains { path.hasPrefix($0) } }

    func matches(_ line: String) -> Bool {
        guard let range = line.range(of: word) else { return false }
        guard let first = word.first, first.isLetter, range.lowerBound > line.startIndex else { return true }
        // `SomeDate()` is not `Date()`.
        let before = line[line.index(before: range.lowerBound)]
        return !(before.isLetter || before.isNumber || before == "_")
    }

    static let all: [Ban] = [
        Ban(
            word: "Date()", instead: "take a CarillonClock by initialiser and use its now",
            allowedIn: ["Sources/CarillonCore/Time/SystemClock.swift"]),
        Ban(
            word: "Task.sleep", instead: "sleep on the CarillonClock that was passed in",
            allowedIn: []),
        Ban(
            word: "schedule(at: clock.now", instead: "schedule(after:): an interval is no moment of the wall clock",
            allowedIn: ["Sources/CarillonDevice/"]),
        Ban(
            word: "clock.now <", instead: "compare with the clock's uptime, which nobody can set",
            allowedIn: []),
        Ban(
            word: "UUID()", instead: "take the source of ids by initialiser",
            allowedIn: ["Sources/carillon/", "Sources/CarillonPhones/"]),
        Ban(
            word: "print(", instead: "log, or return the text; only the command line prints",
            allowedIn: ["Sources/carillon/"]),
        Ban(word: "FIXME", instead: "fix it, or say in the closing note that it is open", allowedIn: []),
        Ban(word: "TODO", instead: "do it, or say in the closing note that it is open", allowedIn: []),
        Ban(word: "try!", instead: "throw, or say why it cannot fail with a guard", allowedIn: []),
        Ban(word: "as!", instead: "as? with a guard that says what was wrong", allowedIn: []),
        Ban(word: "fatalError(", instead: "throw; outside data must not end the process", allowedIn: []),
    ]
}
