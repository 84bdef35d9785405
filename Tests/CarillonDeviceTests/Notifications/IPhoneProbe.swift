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
            "weekdayOrdinalIsStrict: \(ordinal)",
            "a trigger with the quarter 0 fires: \(next(components) != nil)",
        ]
    }

    /// Whether a trigger for a day such as the third Tuesday ignores the other days that this iPhone's calendar finds.
    ///
    /// A calendar with such a fault finds another day only at certain times of the year, such as 1 March after a short February.
    private var ordinal: String {
        guard let now = firstDate?.addingTimeInterval(-600) else { return "no date" }
        for day in 0..<800 {
            let start = now.addingTimeInterval(Double(day) * 86_400)
            for weekday in 1...7 {
                for number in 1...4 {
                    let components = DateComponents(
                        timeZone: .gmt, hour: 10, minute: 0, second: 0, weekday: weekday, weekdayOrdinal: number)
                    guard let other = otherDay(components, after: start) else { continue }
                    guard day == 0 else { return "this iPhone can tell on \(start) at the earliest" }
                    return "\(next(components) != other)"
                }
            }
        }
        return "true (this iPhone's calendar finds no other days)"
    }

    /// Returns the date that the iPhone's calendar finds for the components, if it does not have them.
    private func otherDay(_ components: DateComponents, after start: Date) -> Date? {
        var (calendar, components) = (Calendar(identifier: .gregorian), components)
        (calendar.timeZone, components.timeZone) = (.gmt, nil)
        let found = calendar.nextDate(
            after: start, matching: components, matchingPolicy: .nextTimePreservingSmallerComponents)
        let isRight = found.map { calendar.component(.weekdayOrdinal, from: $0) == components.weekdayOrdinal } ?? true
        return isRight ? nil : found
    }

    private func next(_ components: DateComponents) -> Date? {
        UNCalendarNotificationTrigger(dateMatching: components, repeats: true).nextTriggerDate()
    }
}
