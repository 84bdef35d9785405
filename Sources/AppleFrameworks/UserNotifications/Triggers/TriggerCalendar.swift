import Foundation

/// The calendar rules by which a phone finds the next date of a trigger.
@_spi(Simulation) public struct TriggerCalendar: Sendable {
    /// The time zone for components that have neither a calendar nor a zone.
    public let timeZone: TimeZone
    /// Whether a trigger for a missing day, such as 30 February, fires at its own time on the next day.
    ///
    /// Otherwise, it fires at the beginning of the next day.
    public let keepsTimeOfMissingDay: Bool
    /// Whether `nextTriggerDate()` of a time-interval trigger counts from the call; otherwise from the trigger's creation.
    public let countsIntervalFromNow: Bool

    public init(timeZone: TimeZone, keepsTimeOfMissingDay: Bool, countsIntervalFromNow: Bool) {
        self.timeZone = timeZone
        self.keepsTimeOfMissingDay = keepsTimeOfMissingDay
        self.countsIntervalFromNow = countsIntervalFromNow
    }

    /// The calendar of the running app's phone; outside any phone the machine's.
    static var current: TriggerCalendar {
        SimulatedDevices.currentProcess?.triggerCalendar
            ?? TriggerCalendar(timeZone: .current, keepsTimeOfMissingDay: true, countsIntervalFromNow: true)
    }
}
