import CarillonCore
import Foundation

/// The due dates of an app's timer by the phone's clock; Foundation's `Timer` knows only the machine's.
struct AppTimer: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        /// The timer is due. `again` is the next due date, if there is one.
        case fire(again: Timestamp?)
        /// The app has set another date since.
        case wait(until: Timestamp)
    }

    /// `nil`: once.
    let interval: Duration?
    private(set) var due: Timestamp
    /// The date that the timer had when `due` was set.
    private var fireDate: Date

    /// - Parameters:
    ///   - interval: seconds, as `Timer.timeInterval` has them: 0 for a timer that fires once.
    ///   - fireDate: the timer's date, in the machine's time.
    ///   - seconds: the time until that date.
    ///   - now: the time by the phone's clock.
    init(interval: TimeInterval, fireDate: Date, seconds: TimeInterval, now: Timestamp) {
        self.interval = interval > 0 ? Self.duration(interval) : nil
        self.fireDate = fireDate
        // A moment has passed since `Timer(timeInterval:…)`, on which nothing may depend.
        let isWhole = interval > 0 && abs(seconds - interval) < PhoneLimits.timerSlackSeconds
        due = now + Self.duration(isWhole ? interval : seconds)
    }

    /// Advances a timer that has fallen due, and returns the action to take.
    ///
    /// - Parameters:
    ///   - fireDate: the timer's date now.
    ///   - seconds: the time until that date, by the machine's clock.
    /// - Returns: the action to take.
    mutating func fellDue(fireDate: Date, seconds: TimeInterval) -> Action {
        guard fireDate == self.fireDate else {
            self.fireDate = fireDate
            due = due + Self.duration(seconds)
            return .wait(until: due)
        }
        guard let interval else { return .fire(again: nil) }
        due = due + interval
        return .fire(again: due)
    }

    /// Rounds to a millisecond, and to no more than a clock can count: about 300 years.
    private static func duration(_ seconds: TimeInterval) -> Duration {
        .milliseconds(Int64((min(max(seconds, 0), PhoneLimits.timerSeconds) * 1000).rounded()))
    }
}
