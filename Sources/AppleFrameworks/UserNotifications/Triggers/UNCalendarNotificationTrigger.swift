import Foundation

/// A trigger that fires when the date matches the trigger's components.
/// [UNCalendarNotificationTrigger](https://developer.apple.com/documentation/usernotifications/uncalendarnotificationtrigger)
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    /// Returns the date at which the trigger fires next; `nil` if no date has its components.
    ///
    /// The result is `nil` for a component out of its range too, such as the month 13 or the quarter 0, which
    /// `Calendar.dateComponents(in:from:)` has long returned on iOS:
    /// [one report](https://www.jakehao.com/scheduling-notification-monthly). Differs from iOS: the search looks thirty years
    /// ahead if the components determine the date in more than one way, such as day and day of the year.
    open func nextTriggerDate() -> Date? {
        nextDate(after: now, scheduledAt: now, in: .current)
    }

    @_spi(Simulation) public override func nextDate(
        after moment: Date, scheduledAt: Date, in phone: TriggerCalendar
    ) -> Date? {
        let calendar = calendar(in: phone.timeZone)
        let search = DateSearch(
            calendar: calendar, components: matchable,
            matchingPolicy: phone.keepsTimeOfMissingDay ? .nextTimePreservingSmallerComponents : .nextTime)
        // A trigger that does not repeat fires only at the first match after it was scheduled.
        var next: Date? = repeats ? moment : scheduledAt
        repeat {
            next = next.flatMap { search.next(after: $0) }
        } while phone.isOrdinalStrict && next.map { !isOrdinalDay($0, in: calendar) } ?? false
        return next.flatMap { $0 > moment ? $0 : nil }
    }

    /// Returns whether a date that Foundation has found is the wanted day of its month, such as the third Tuesday, or stands
    /// for that day in a month that has none.
    ///
    /// Foundation's search also finds other dates: for the third Tuesday the first Monday of March. The result is `true` for
    /// components without `weekday` and `weekdayOrdinal`.
    private func isOrdinalDay(_ date: Date, in calendar: Calendar) -> Bool {
        guard let weekday = dateComponents.weekday, let ordinal = dateComponents.weekdayOrdinal else { return true }
        let found = calendar.dateComponents([.weekday, .weekdayOrdinal], from: date)
        if found.weekday == weekday, found.weekdayOrdinal == ordinal { return true }
        // The day that a month lacks is found on the first day of the next month.
        guard let dayBefore = calendar.date(byAdding: .day, value: -1, to: date),
            let month = calendar.dateInterval(of: .month, for: dayBefore)
        else { return true }
        let wanted = DateComponents(weekday: weekday, weekdayOrdinal: ordinal)
        let day = calendar.nextDate(
            after: month.start.addingTimeInterval(-1), matching: wanted, matchingPolicy: .strict)
        return day.map { $0 >= month.end } ?? true
    }

    /// Returns the calendar that decides whether a date matches the trigger's components.
    ///
    /// - Parameter zone: the time zone for components that have neither a calendar nor a zone.
    private func calendar(in zone: TimeZone) -> Calendar {
        var calendar = dateComponents.calendar ?? Calendar(identifier: .gregorian)
        calendar.timeZone = dateComponents.timeZone ?? (dateComponents.calendar == nil ? zone : calendar.timeZone)
        return calendar
    }

    /// The components to match, without the calendar and the zone, which only determine how to match.
    ///
    /// Hours, minutes and seconds that are not given are set to 0 if they are smaller than every given unit. Without these zeros,
    /// a trigger for a day that does not exist, such as 30 February, would fire on the next day at a wrong time of day: the time
    /// at which the search starts.
    private var matchable: DateComponents {
        var components = dateComponents
        components.calendar = nil
        components.timeZone = nil
        guard components.second == nil else { return components }
        components.second = 0
        guard components.minute == nil else { return components }
        components.minute = 0
        if components.hour == nil { components.hour = 0 }
        return components
    }

    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNCalendarNotificationTrigger)?.dateComponents == dateComponents
    }

    open override var hash: Int { dateComponents.hashValue }

    public required init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "dateComponents"),
            let read = try? JSONDecoder().decode(DateComponents.self, from: Data(referencing: data))
        else { return nil }
        dateComponents = read
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        if let data = try? JSONEncoder().encode(dateComponents) {
            coder.encode(NSData(data: data), forKey: "dateComponents")
        }
    }
}
