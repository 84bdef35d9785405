import Foundation
import UIKit

/// Asks an iPhone what Apple's documents leave open, without waiting for the end of a month.
///
/// Copy this file into an app, and add these lines to its `didFinishLaunching`:
///
/// ```swift
/// let probe = IPhoneProbe()
/// DispatchQueue.main.asyncAfter(deadline: .now() + 2) { print(probe.report().joined(separator: "\n")) }
/// ```
///
/// Each line names a switch of `PhoneRules`, and its value on that phone.
@MainActor struct IPhoneProbe {
    private let interval = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
    private let firstDate: Date?

    /// Makes a trigger whose date ``report()`` looks at again, a moment later.
    init() { firstDate = interval.nextTriggerDate() }

    /// Returns one line for each question.
    func report() -> [String] {
        // Every year lacks this day.
        let missing = next(DateComponents(month: 2, day: 30, hour: 10))
        let isAtTen = missing == next(DateComponents(month: 3, day: 1, hour: 10))
        let isAtMidnight = missing == next(DateComponents(month: 3, day: 1, hour: 0))
        var components = DateComponents(hour: 10)
        components.quarter = 0
        return [
            "missingDayKeepsTime: \(isAtTen == isAtMidnight ? "neither" : "\(isAtTen)") (\(missing ?? .distantPast))",
            "intervalDateCountsFromNow: \(interval.nextTriggerDate() != firstDate)",
            "a trigger with the quarter 0 fires: \(next(components) != nil)",
        ]
    }

    private func next(_ components: DateComponents) -> Date? {
        UNCalendarNotificationTrigger(dateMatching: components, repeats: true).nextTriggerDate()
    }
}
