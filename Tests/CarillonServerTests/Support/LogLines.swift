import Logging
import Synchronization

/// The lines of a log from the level notice on, for tests that count them.
final class LogLines: Sendable {
    private let state = Mutex<[String]>([])

    /// A logger whose lines these are.
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    /// The lines that begin so, each with its metadata.
    func lines(_ beginning: String = "") -> [String] {
        state.withLock { lines in lines.filter { $0.hasPrefix(beginning) } }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            let line = (["\(event.message)"] + pairs).joined(separator: " ")
            lines.state.withLock { $0.append(line) }
        }
    }
}
