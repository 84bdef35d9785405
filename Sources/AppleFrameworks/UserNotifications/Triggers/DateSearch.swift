import Foundation

/// A search for the dates that match a trigger's components; unlike Foundation's own, it always ends.
///
/// Foundation's search may never end if no date has the components: the sixth Tuesday of a month, or a 29th that is the first
/// Wednesday of its month. So ``next(after:)`` uses it only for components that determine a date in one way, such as month and
/// day. For all others, it compares the days one by one, up to ``searchedDays``.
struct DateSearch {
    let calendar: Calendar
    /// The components to match, without a calendar and a time zone of their own.
    let components: DateComponents
    let matchingPolicy: Calendar.MatchingPolicy

    /// The number of days after which a search ends without a date: thirty years.
    private static let searchedDays = 10_958

    /// Returns the first matching date after `date`; `nil` if there is none, also for a component out of its range.
    func next(after date: Date) -> Date? {
        guard isInRange else { return nil }
        return isDetermined ? foundation(components, after: date) : nextByDay(after: date)
    }

    private func foundation(_ components: DateComponents, after date: Date) -> Date? {
        calendar.nextDate(
            after: date, matching: components, matchingPolicy: matchingPolicy, repeatedTimePolicy: .first)
    }

    private var isInRange: Bool {
        let isYearInRange = components.yearForWeekOfYear.map { calendar.maximumRange(of: .year)?.contains($0) ?? true }
        return (Self.dayUnits + Self.timeUnits).allSatisfy { unit in
            guard unit != .yearForWeekOfYear, let value = components.value(for: unit) else { return true }
            return calendar.maximumRange(of: unit)?.contains(value) ?? true
        } && isYearInRange ?? true && components.weekdayOrdinal ?? 1 > 0
    }

    /// Whether the components name a day in one way only, for which Foundation's search ends.
    private var isDetermined: Bool {
        let given = Set(Self.dayUnits.filter { components.value(for: $0) != nil })
        let ways = Self.gregorian.contains(calendar.identifier) ? Self.gregorianWays : Self.otherWays
        return ways.contains { given.isSubset(of: $0) }
    }

    /// Returns the first date after `date` on a day that has all components; a day that a month lacks has no stand-in.
    private func nextByDay(after date: Date) -> Date? {
        let units = Self.dayUnits.filter { components.value(for: $0) != nil }
        let time = DateComponents(
            hour: components.hour, minute: components.minute, second: components.second,
            nanosecond: components.nanosecond)
        let firstNoon = calendar.startOfDay(for: date).addingTimeInterval(43_200)
        for number in 0..<Self.searchedDays {
            let noon = firstNoon.addingTimeInterval(Double(number) * 86_400)
            let day = calendar.dateComponents(Set(units), from: noon)
            guard units.allSatisfy({ day.value(for: $0) == components.value(for: $0) }) else { continue }
            let start = calendar.startOfDay(for: noon)
            let found = foundation(time, after: max(date, start.addingTimeInterval(-0.001)))
            if let found, found >= start, calendar.isDate(found, inSameDayAs: noon) { return found }
        }
        return nil
    }

    private static let dayUnits: [Calendar.Component] = [
        .era, .year, .month, .day, .weekday, .weekdayOrdinal, .quarter, .weekOfMonth, .weekOfYear, .yearForWeekOfYear,
        .dayOfYear,
    ]
    private static let timeUnits: [Calendar.Component] = [.hour, .minute, .second, .nanosecond]

    /// The calendars whose months are the Gregorian ones.
    private static let gregorian: Set<Calendar.Identifier> = [
        .gregorian, .iso8601, .buddhist, .japanese, .republicOfChina,
    ]
    private static let gregorianWays: [Set<Calendar.Component>] = [
        [.era, .year, .month, .day, .weekday], [.era, .year, .month, .weekday, .weekdayOrdinal],
        [.era, .year, .month, .weekday, .weekOfMonth], [.yearForWeekOfYear, .weekOfYear, .weekday],
        [.era, .year, .dayOfYear], [.era, .year, .quarter],
    ]
    private static let otherWays: [Set<Calendar.Component>] = [
        [.month, .day], [.month, .weekday, .weekdayOrdinal],
    ]
}
