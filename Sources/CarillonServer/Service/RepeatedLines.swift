import CarillonCore
import Logging
import Synchronization

/// Writes the log lines that an outage would repeat: each kind of line at once, and then at most once a minute.
///
/// The constant message of a line is its kind, so an hour has at most 60 lines of a kind, whatever is tried how often.
package final class RepeatedLines: Sendable {
    private let clock: any CarillonClock
    private let logger: Logger
    private let reminders = Mutex<[String: LogReminder]>([:])

    /// Makes a writer that has written no line yet.
    ///
    /// - Parameters:
    ///   - clock: the clock whose ``CarillonClock/uptime`` measures the minute.
    ///   - logger: the logger for the lines.
    package init(clock: any CarillonClock, logger: Logger) { (self.clock, self.logger) = (clock, logger) }

    /// Writes a line, unless a line of its kind was written less than ``ServiceLimits/refusalReminder`` ago.
    ///
    /// - Parameters:
    ///   - level: the level of the line.
    ///   - message: the constant message.
    ///   - kind: a part of the message's kind, from a small set such as the types of errors. The default is none.
    ///   - metadata: the variable parts. If a line stands for several occurrences, it also gets their number as `times`.
    ///   - logger: the logger of a request, which knows its trace. The default is the logger of this object.
    package func log(
        _ level: Logger.Level, _ message: Logger.Message, kind: String = "", metadata: Logger.Metadata,
        to logger: Logger? = nil
    ) {
        let reminder = reminders.withLock { reminders in
            let name = "\(message) \(kind)"
            let reminder = reminders[name] ?? LogReminder()
            reminders[name] = reminder
            return reminder
        }
        guard let count = reminder.count(at: clock.uptime) else { return }
        var metadata = metadata
        if count > 1 { metadata["times"] = "\(count)" }
        (logger ?? self.logger).log(level: level, message, metadata: metadata)
    }
}
