import Logging
import Synchronization

/// The level of a program's log, which can change while the program runs.
///
/// All loggers of a program share one value, so a change has effect on their next line.
package final class LogLevels: Sendable {
    private let state: Mutex<Logger.Level>

    package init(_ level: Logger.Level) { state = Mutex(level) }

    /// The least level of a line that is written.
    package var level: Logger.Level { state.withLock { $0 } }

    /// Sets the least level of a line that is written from now on.
    package func change(to level: Logger.Level) { state.withLock { $0 = level } }
}
