import Foundation

/// The calendar rules by which a phone finds the next date of a trigger.
@_spi(Simulation) public struct TriggerCalendar: Sendable {
    /// The time zone for components that have neither a calendar nor a zone.
    public private(set) var timeZone: TimeZone
    /// Whether a trigger for a missing day, such as 30 February, fires on the next day at the trigger's time of day.
    ///
    /// If it is `false`, the trigger fires at the beginning of the next day.
    public let keepsTimeOfMissingDay: Bool
    /// Whether `nextTriggerDate()` of a time-interval trigger adds the interval to the time of the call.
    ///
    /// If it is `false`, the interval is added to the time at which the trigger was made.
    public let countsIntervalFromNow: Bool
    /// Whether a trigger with `weekdayOrdinal` fires only on such a day, except in months that have none.
    ///
    /// If it is `false`, the trigger fires on every date that `Calendar.nextDate(after:matching:matchingPolicy:)` finds.
    public let isOrdinalStrict: Bool

    public init(timeZone: TimeZone, keepsTimeOfMissingDay: Bool, countsIntervalFromNow: Bool, isOrdinalStrict: Bool) {
        self.timeZone = timeZone
        self.keepsTimeOfMissingDay = keepsTimeOfMissingDay
        self.countsIntervalFromNow = countsIntervalFromNow
        self.isOrdinalStrict = isOrdinalStrict
    }

    /// Returns these rules with another time zone.
    public func inZone(_ zone: TimeZone) -> TriggerCalendar {
        var other = self
        other.timeZone = zone
        return other
    }

    /// The calendar of the running app's phone; outside any phone the machine's.
    static var current: TriggerCalendar {
        SimulatedDevices.currentProcess?.triggerCalendar
            ?? TriggerCalendar(
                timeZone: .current, keepsTimeOfMissingDay: true, countsIntervalFromNow: true, isOrdinalStrict: true)
    }
}
