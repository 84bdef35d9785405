import Foundation
import Testing
@_spi(Simulation) import UserNotifications

/// The next date of a calendar trigger whose components contradict each other, or are out of their range.
@Suite("Dates that never come") struct ImpossibleDateTests {
    /// 1 February 2027, 09:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_801_472_400)

    private static func next(_ components: DateComponents, in calendar: Calendar.Identifier = .gregorian) -> Date? {
        var components = components
        components.calendar = Calendar(identifier: calendar)
        components.timeZone = .gmt
        let rules = TriggerCalendar(
            timeZone: .gmt, keepsTimeOfMissingDay: true, countsIntervalFromNow: true, isOrdinalStrict: true)
        return UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
            .nextDate(after: now, scheduledAt: now, in: rules)
    }

    @Test(
        "no date has a component out of its range",
        arguments: [
            DateComponents(month: 13), DateComponents(month: 0), DateComponents(day: 32), DateComponents(day: -1),
            DateComponents(hour: 24), DateComponents(minute: 60), DateComponents(second: -1),
            DateComponents(weekday: 0), DateComponents(weekday: 9), DateComponents(weekdayOrdinal: 7),
            DateComponents(weekdayOrdinal: 6), DateComponents(weekdayOrdinal: -2), DateComponents(weekdayOrdinal: 0),
            DateComponents(weekday: 3, weekdayOrdinal: 7), DateComponents(quarter: 0), DateComponents(quarter: 5),
            DateComponents(weekOfMonth: 7), DateComponents(weekOfYear: 60), DateComponents().on(367),
            DateComponents(year: 200_000), DateComponents(yearForWeekOfYear: 200_000), DateComponents(era: .min),
            DateComponents(nanosecond: 1_000_000_000),
        ])
    func outOfRange(_ components: DateComponents) {
        #expect(Self.next(components) == nil)
    }

    @Test(
        "the search ends for components that contradict each other",
        arguments: [
            DateComponents(day: 29, weekdayOrdinal: 1, quarter: 4), DateComponents(month: 7).on(319),
            DateComponents(weekday: 3, weekOfYear: 20).on(338),
            DateComponents(month: 2, day: 29, weekOfYear: 20, yearForWeekOfYear: 2030),
            DateComponents(weekdayOrdinal: 4, weekOfYear: 34, yearForWeekOfYear: 2020),
        ])
    func contradiction(_ components: DateComponents) {
        #expect(Self.next(components) == nil)
    }

    @Test("a date with all of its components is found, on its day and at its time")
    func complete() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Self.now.addingTimeInterval(500 * 86_400 + 3_723)
        #expect(Self.next(calendar.dateComponents(in: .gmt, from: date)) == date)
        // 23 November is a Tuesday in 2027.
        let redundant = DateComponents(month: 11, hour: 7, weekday: 3, weekOfYear: 48).on(327)
        let found = try #require(Self.next(redundant))
        #expect("\(found)".hasPrefix("2027-11-23 07:00:00"))
        let next = try #require(Self.next(DateComponents(hour: 8, quarter: 1).on(32)))
        #expect("\(next)".hasPrefix("2028-02-01 08:00:00"))
    }

    @Test(
        "the search ends in calendars with other months",
        arguments: [Calendar.Identifier.chinese, .hebrew, .islamicUmmAlQura],
        [
            DateComponents(year: 57).on(363), DateComponents(day: 30, hour: 8, weekday: 4),
            DateComponents(weekday: 4, weekOfMonth: 6), DateComponents(weekday: 3, weekdayOrdinal: 7),
        ])
    func otherCalendars(_ calendar: Calendar.Identifier, _ components: DateComponents) {
        let found = Self.next(components, in: calendar)
        #expect(found.map { $0 > Self.now } ?? true)
    }

    @Test("a month of another calendar that lacks a day has the next day instead, as before")
    func missingDay() throws {
        let found = try #require(Self.next(DateComponents(day: 30, hour: 10), in: .hebrew))
        #expect(found > Self.now && found < Self.now.addingTimeInterval(40 * 86_400))
    }
}

extension DateComponents {
    /// Returns these components with a day of the year.
    fileprivate func on(_ dayOfYear: Int) -> DateComponents {
        var other = self
        other.dayOfYear = dayOfYear
        return other
    }
}
