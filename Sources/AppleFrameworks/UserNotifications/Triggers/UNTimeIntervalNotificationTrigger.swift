import Foundation

/// A trigger that fires a number of seconds after the request is added.
/// [UNTimeIntervalNotificationTrigger](https://developer.apple.com/documentation/usernotifications/untimeintervalnotificationtrigger)
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// The interval in seconds: greater than 0, and at least 60 if it repeats.
    public let timeInterval: TimeInterval
    private let created: Date

    /// Makes a trigger; an interval that iOS does not accept ends the app, as on iOS.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        if !(timeInterval > 0) {
            SimulatedDevices.hasMade(mistake: "intervalNotPositive", "\(timeInterval) s")
        } else if repeats, timeInterval < 60 {
            SimulatedDevices.hasMade(mistake: "repeatsTooOften", "every \(timeInterval) s")
        }
        self.timeInterval = timeInterval
        created = SimulatedDevices.current?.now ?? Date(timeIntervalSince1970: 0)
        super.init(repeats: repeats)
    }

    /// Returns the date one interval from now, even if a request with this trigger was added earlier.
    ///
    /// The report [rdar 41949525](https://github.com/lionheart/openradar-mirror/issues/20122) describes this behaviour of iOS.
    /// If the phone's ``TriggerCalendar/countsIntervalFromNow`` is `false`, the interval counts from the creation of the trigger.
    open func nextTriggerDate() -> Date? {
        let calendar = TriggerCalendar.current
        guard calendar.countsIntervalFromNow else { return nextDate(after: now, scheduledAt: created, in: calendar) }
        return timeInterval > 0 ? now.addingTimeInterval(timeInterval) : nil
    }

    @_spi(Simulation) public override func nextDate(
        after moment: Date, scheduledAt: Date, in calendar: TriggerCalendar
    ) -> Date? {
        let first = scheduledAt.addingTimeInterval(timeInterval)
        if first > moment { return first }
        guard repeats, timeInterval > 0 else { return nil }
        let periods = (moment.timeIntervalSince(scheduledAt) / timeInterval).rounded(.down) + 1
        return scheduledAt.addingTimeInterval(periods * timeInterval)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNTimeIntervalNotificationTrigger)?.timeInterval == timeInterval
    }

    open override var hash: Int { timeInterval.hashValue }

    public required init?(coder: NSCoder) {
        timeInterval = coder.decodeDouble(forKey: "timeInterval")
        created = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "created"))
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(timeInterval, forKey: "timeInterval")
        coder.encode(created.timeIntervalSinceReferenceDate, forKey: "created")
    }
}
