/// What an app under test has been called with, in order; the app's delegate writes it.
@MainActor final class CallLog {
    private(set) var lines: [String] = []

    func write(_ line: String) { lines.append(line) }

    func contains(_ line: String) -> Bool { lines.contains(line) }
}
