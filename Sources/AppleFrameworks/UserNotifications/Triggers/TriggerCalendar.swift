import Foundation

/// The calendar rules by which a phone finds the next date of a trigger.
@_spi(Simulation) public struct TriggerCalendar: Sendable {
    /// The time zone for components that have neither a calendar nor a zone.
    public let timeZone: TimeZone
    /// Whether a date that a month lacks keeps its time of day on the day after; otherwise it falls on midnight.
    public let keepsTimeOfMissingDay: Bool

    public init(timeZone: TimeZone, keepsTimeOfMissingDay: Bool) {
        self.timeZone = timeZone
        self.keepsTimeOfMissingDay = keepsTimeOfMissingDay
    }

    /// The calendar of the running app's phone; outside any phone the machine's.
    static var current: TriggerCalendar {
        SimulatedDevices.currentProcess?.triggerCalendar
            ?? TriggerCalendar(timeZone: .current, keepsTimeOfMissingDay: true)
    }
}
