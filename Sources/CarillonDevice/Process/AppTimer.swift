import CarillonCore
import Foundation

/// The due dates of an app's timer by the phone's clock; Foundation's `Timer` knows only the machine's clock.
struct AppTimer: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        /// The timer must fire now; `again` is its next due date, or `nil` if it fires only once.
        case fire(again: Timestamp?)
        /// The timer must wait, because the app has given it another date.
        case wait(until: Timestamp)
    }

    /// The interval of a repeating timer; `nil` for a timer that fires once.
    let interval: Duration?
    private(set) var due: Timestamp
    /// The timer's `fireDate` at the moment when ``due`` was computed.
    private var fireDate: Date

    /// Determines the first due date of a timer by the phone's clock.
    ///
    /// - Parameters:
    ///   - interval: `Timer.timeInterval` in seconds: 0 for a timer that fires once.
    ///   - fireDate: the timer's date, in the machine's time.
    ///   - seconds: the time until that date.
    ///   - now: the time by the phone's clock.
    init(interval: TimeInterval, fireDate: Date, seconds: TimeInterval, now: Timestamp) {
        // The phone's clock counts milliseconds; an interval of none would keep it where it is.
        self.interval = interval > 0 ? max(.waiting(interval), .milliseconds(1)) : nil
        self.fireDate = fireDate
        // Some time has passed since `Timer(timeInterval:…)`; results must not depend on that time.
        let isWhole = interval > 0 && abs(seconds - interval) < PhoneLimits.timerSlackSeconds
        due = now + .waiting(isWhole ? interval : seconds)
    }

    /// Decides whether a timer fires now that its due date has come, and computes the next due date.
    ///
    /// - Parameters:
    ///   - fireDate: the timer's current date.
    ///   - seconds: the time until that date, by the machine's clock.
    /// - Returns: `wait` if the app has given the timer another date; otherwise `fire`.
    mutating func fellDue(fireDate: Date, seconds: TimeInterval) -> Action {
        // A date that is no number equals nothing, not even itself.
        guard fireDate == self.fireDate || fireDate.timeIntervalSinceReferenceDate.isNaN else {
            self.fireDate = fireDate
            due = due + .waiting(seconds)
            return .wait(until: due)
        }
        guard let interval else { return .fire(again: nil) }
        due = due + interval
        return .fire(again: due)
    }
}

extension Duration {
    /// Returns the wait that an app has given in seconds, rounded to a millisecond.
    ///
    /// The wait is limited to about 300 years, which clocks can count. It is zero for a negative number and for NaN.
    static func waiting(_ seconds: TimeInterval) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .milliseconds(Int64((min(max(seconds, 0), PhoneLimits.timerSeconds) * 1000).rounded()))
    }
}
