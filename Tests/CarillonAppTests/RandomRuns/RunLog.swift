import CarillonCore
import Synchronization

/// The events of a run, one line each, to find out why the run failed.
final class RunLog: Sendable {
    private let clock: any CarillonClock
    private let start: Timestamp
    private let lines = Mutex<[String]>([])

    init(clock: any CarillonClock) {
        self.clock = clock
        start = clock.now
    }

    func add(_ line: @autoclosure () -> String) {
        let seconds = Double((clock.now - start).wholeMilliseconds) / 1000
        let line = "\(seconds) s: \(line())"
        lines.withLock { $0.append(line) }
    }

    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}
