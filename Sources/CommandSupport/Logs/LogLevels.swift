import Logging
import Synchronization

/// The level of a program's log, which can change while the program runs.
///
/// All loggers of a program share one value, so a change has effect on their next line.
package final class LogLevels: Sendable {
    private let state: Mutex<Logger.Level>

    package init(_ level: Logger.Level) { state = Mutex(level) }

    /// The log level: only lines of this level or a higher one are written.
    package var level: Logger.Level { state.withLock { $0 } }

    /// Sets the log level: from now on, only lines of this level or a higher one are written.
    package func change(to level: Logger.Level) { state.withLock { $0 = level } }
}
