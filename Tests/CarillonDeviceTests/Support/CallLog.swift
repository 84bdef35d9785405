/// The calls that an app under test has received, in order; the app's delegate writes them.
@MainActor final class CallLog {
    private(set) var lines: [String] = []

    func write(_ line: String) { lines.append(line) }

    func contains(_ line: String) -> Bool { lines.contains(line) }
}
