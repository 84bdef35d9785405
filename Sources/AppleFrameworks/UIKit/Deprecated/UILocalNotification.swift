import Foundation
@_spi(Simulation) import UserNotifications

@available(*, deprecated, message: "Use UserNotifications Framework's +[UNNotificationSound defaultSound]")
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// A local notification in the form before iOS 10.
/// [UILocalNotification](https://developer.apple.com/documentation/uikit/uilocalnotification)
///
/// Differs from iOS: regions are not supported; a repeating notification fires at the next matching time, even before its fire
/// date.
@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationRequest")
public class UILocalNotification: NSObject, NSCopying {
    // `@unchecked`: as on iOS, the object is mutable, and one thread at a time may use it.
    /// The time at which the notification fires; `nil` or a date in the past means immediately.
    public var fireDate: Date?
    /// The time zone of the fire date; `nil` means that the fire date is an absolute point in time.
    ///
    /// With a zone, the notification fires when a clock in that zone shows the fire date's time.
    public var timeZone: TimeZone?
    /// The interval of repetition; empty to fire once.
    public var repeatInterval: NSCalendar.Unit = []
    public var repeatCalendar: Calendar?
    /// The text, without `printf` specifiers, which iOS strips; two percent signs stand for one
    /// ([alertBody](https://developer.apple.com/documentation/uikit/uilocalnotification/alertbody)).
    public var alertBody: String?
    public var alertTitle: String?
    public var hasAction = true
    public var alertAction: String?
    public var alertLaunchImage: String?
    public var soundName: String?
    /// The number on the app's icon; 0 leaves it unchanged, and a negative number hides it.
    public var applicationIconBadgeNumber = 0
    public var userInfo: [AnyHashable: Any]?
    public var category: String?

    public override init() { super.init() }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = UILocalNotification()
        copy.fireDate = fireDate
        copy.timeZone = timeZone
        copy.repeatInterval = repeatInterval
        copy.repeatCalendar = repeatCalendar
        copy.alertBody = alertBody
        copy.alertTitle = alertTitle
        copy.hasAction = hasAction
        copy.alertAction = alertAction
        copy.alertLaunchImage = alertLaunchImage
        copy.soundName = soundName
        copy.applicationIconBadgeNumber = applicationIconBadgeNumber
        copy.userInfo = userInfo
        copy.category = category
        return copy
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UILocalNotification else { return false }
        return fireDate == other.fireDate && timeZone == other.timeZone && repeatInterval == other.repeatInterval
            && alertBody == other.alertBody && alertTitle == other.alertTitle && soundName == other.soundName
            && applicationIconBadgeNumber == other.applicationIconBadgeNumber && category == other.category
            && NSDictionary(dictionary: userInfo ?? [:]).isEqual(to: other.userInfo ?? [:])
    }

    public override var hash: Int { alertBody.hashValue ^ fireDate.hashValue }

    /// The notification's content, converted for `UNUserNotificationCenter`.
    var content: UNNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = alertTitle ?? ""
        content.body = Self.stripped(alertBody ?? "")
        content.categoryIdentifier = category ?? ""
        content.launchImageName = alertLaunchImage ?? ""
        content.userInfo = userInfo ?? [:]
        if applicationIconBadgeNumber != 0 {
            content.badge = NSNumber(value: applicationIconBadgeNumber)
        }
        if let soundName {
            content.sound =
                soundName == UILocalNotificationDefaultSoundName
                ? .default : UNNotificationSound(named: UNNotificationSoundName(soundName))
        }
        return content
    }

    /// Returns the text without `printf` specifiers: removes each percent sign with the digits or the character after it.
    ///
    /// Two percent signs become one. Apple documents that iOS strips specifiers; these two reports show how much is removed:
    /// [rdar 15553633](https://github.com/lionheart/openradar-mirror/issues/4147),
    /// [Signal 1831](https://github.com/signalapp/Signal-iOS/issues/1831).
    private static func stripped(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if rest.first == "%" { result += "%" }
            rest = rest.dropFirst(max(1, digits.count))
        }
        return result + rest
    }

    /// Returns a trigger with which `UNUserNotificationCenter` fires the notification at the right time.
    ///
    /// - Returns: the trigger; `nil` to fire immediately.
    func trigger(now: Date) -> UNNotificationTrigger? {
        guard let fireDate else { return nil }
        var calendar = repeatCalendar ?? Calendar(identifier: .gregorian)
        if let zone = timeZone ?? (repeatCalendar == nil ? SimulatedDevices.currentProcess?.timeZone : nil) {
            calendar.timeZone = zone
        }
        if let units = repeatedUnits {
            var components = calendar.dateComponents(units, from: fireDate)
            components.timeZone = timeZone
            return UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        }
        let seconds = fireDate.timeIntervalSince(now)
        return seconds > 0 ? UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false) : nil
    }

    /// The components of the fire date that each repetition must match; `nil` without repetition.
    private var repeatedUnits: Set<Calendar.Component>? {
        switch repeatInterval {
        case .minute: [.second]
        case .hour: [.minute, .second]
        case .day: [.hour, .minute, .second]
        case .weekOfYear, .weekday: [.weekday, .hour, .minute, .second]
        case .month: [.day, .hour, .minute, .second]
        case .year: [.month, .day, .hour, .minute, .second]
        default: nil
        }
    }
}
