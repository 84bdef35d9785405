import Foundation

/// The condition for showing a notification; each subclass is one kind of condition.
/// [UNNotificationTrigger](https://developer.apple.com/documentation/usernotifications/unnotificationtrigger)
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding {
    public let repeats: Bool

    init(repeats: Bool) { self.repeats = repeats }

    /// Returns the next date after `moment` on which the trigger fires; `nil` if it never fires again, or if its firing does
    /// not depend on the clock.
    @_spi(Simulation) public func nextDate(after moment: Date, scheduledAt: Date, in calendar: TriggerCalendar) -> Date?
    { nil }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationTrigger else { return false }
        return type(of: other) == type(of: self) && other.repeats == repeats
    }

    open override var hash: Int { repeats.hashValue }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) { repeats = coder.decodeBool(forKey: "repeats") }

    open func encode(with coder: NSCoder) { coder.encode(repeats, forKey: "repeats") }

    /// The time on the phone whose code is running; outside any phone, the beginning of 1970, at which no trigger is due.
    var now: Date { SimulatedDevices.current?.now ?? Date(timeIntervalSince1970: 0) }
}

/// The trigger of a notification that came as a push.
/// [UNPushNotificationTrigger](https://developer.apple.com/documentation/usernotifications/unpushnotificationtrigger)
open class UNPushNotificationTrigger: UNNotificationTrigger {
    @_spi(Simulation) public init() { super.init(repeats: false) }

    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

extension NSCoder {
    func decodeTrigger(_ key: String) -> UNNotificationTrigger? {
        let classes: [AnyClass] = [
            UNPushNotificationTrigger.self, UNTimeIntervalNotificationTrigger.self,
            UNCalendarNotificationTrigger.self, UNLocationNotificationTrigger.self, UNNotificationTrigger.self,
        ]
        guard self is NSKeyedUnarchiver else { return decodeObject(forKey: key) as? UNNotificationTrigger }
        return decodeObject(of: classes, forKey: key) as? UNNotificationTrigger
    }
}
