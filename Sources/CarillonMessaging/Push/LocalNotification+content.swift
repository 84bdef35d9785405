import CarillonCore
import Foundation
import UserNotifications

extension JSONValue {
    /// What a property list can hold: there is no `null` in one, and a local notification's `userInfo` is one.
    fileprivate var withoutNulls: JSONValue? {
        switch self {
        case .null: nil
        case .array(let elements): .array(elements.compactMap(\.withoutNulls))
        case .object(let members): .object(members.compactMapValues(\.withoutNulls))
        case .bool, .int, .double, .string: self
        }
    }
}

extension LocalNotification {
    /// The notification in Apple's terms.
    var content: UNNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title.map(Self.resolved) ?? ""
        content.subtitle = subtitle.map(Self.resolved) ?? ""
        content.body = body.map(Self.resolved) ?? ""
        content.sound = sound.map(Self.sound)
        content.badge = badge.map { NSNumber(value: $0) }
        content.threadIdentifier = threadID ?? ""
        content.categoryIdentifier = category ?? ""
        content.targetContentIdentifier = targetContentID
        content.interruptionLevel = interruptionLevel.map(Self.level) ?? .active
        content.relevanceScore = relevanceScore ?? 0
        content.userInfo = userInfo.compactMapValues(\.withoutNulls).mapValues(\.foundationObject)
        return content
    }

    private static func resolved(_ text: Text) -> String {
        switch text {
        case .literal(let text): text
        case .key(let key, let arguments): NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
        }
    }

    private static func sound(_ sound: Sound) -> UNNotificationSound {
        switch sound {
        case .named("default"): .default
        case .named(let name): UNNotificationSound(named: UNNotificationSoundName(rawValue: name))
        case .critical("default", let volume): .defaultCriticalSound(withAudioVolume: Float(volume))
        case .critical(let name, let volume):
            .criticalSoundNamed(UNNotificationSoundName(rawValue: name), withAudioVolume: Float(volume))
        }
    }

    private static func level(_ level: InterruptionLevel) -> UNNotificationInterruptionLevel {
        switch level {
        case .passive: .passive
        case .active: .active
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}
