import CarillonCore
import CarillonUserInfo
import Foundation
import UserNotifications

/// A notification that the SDK makes from a silent push, as a value that may cross threads.
///
/// Its ``identifier`` is the message's id. So a later push with the same `apns-collapse-id` replaces the notification, and a
/// recall finds it, just like a notification that iOS made.
package struct LocalNotification: Sendable, Hashable {
    /// A literal text, or a key of the app's localized strings with its arguments.
    package enum Text: Sendable, Hashable {
        case literal(String)
        case key(String, arguments: [String])
    }

    package var identifier: String
    package var title: Text?
    package var subtitle: Text?
    package var body: Text?
    package var sound: Sound?
    /// The number on the icon: `nil` changes nothing, 0 removes it.
    package var badge: Int?
    /// The `threadIdentifier`, by which iOS groups notifications; `nil` if the message has none.
    package var threadID: String?
    package var category: String?
    var targetContentID: String?
    package var interruptionLevel: InterruptionLevel?
    var relevanceScore: Double?
    /// The downloaded file to attach, which iOS moves into its own storage; `nil` if there is none.
    package var attachment: URL?
    /// The notification's `userInfo`: the push's payload, in which the notification's `aps` replaces the silent push's `aps`.
    ///
    /// So the app sees the same payload after a tap, whether the message came in an alert push or in a silent push.
    package var userInfo: [String: JSONValue]

    /// Creates a notification from the `aps` of an equivalent alert push.
    ///
    /// - Parameters:
    ///   - identifier: the message's id, or the identifier that another provider's payload format (such as Pushwoosh's) gives to
    ///     the message.
    ///   - aps: the texts, sound, badge and other settings of the notification.
    ///   - userInfo: see ``userInfo``.
    package init(identifier: String, aps: Aps, userInfo: [String: JSONValue]) {
        self.identifier = identifier
        badge = aps.badge
        sound = aps.sound
        threadID = aps.threadID
        category = aps.category
        targetContentID = aps.targetContentID
        interruptionLevel = aps.interruptionLevel
        relevanceScore = aps.relevanceScore
        self.userInfo = userInfo
        switch aps.alert {
        case nil: break
        case .text(let text): body = .literal(text)
        case .parts(let parts):
            title = Self.text(parts.title, key: parts.titleLocKey, arguments: parts.titleLocArgs)
            subtitle = Self.text(parts.subtitle, key: parts.subtitleLocKey, arguments: parts.subtitleLocArgs)
            body = Self.text(parts.body, key: parts.locKey, arguments: parts.locArgs)
        }
    }

    /// Whether there is a text; iOS does not show a notification without text.
    package var hasText: Bool { title != nil || subtitle != nil || body != nil }

    /// Returns the notification without banner and sound, for a second delivery of a known message.
    func quietened() -> Self {
        var quiet = self
        quiet.interruptionLevel = .passive
        quiet.sound = nil
        return quiet
    }

    private static func text(_ literal: String?, key: String?, arguments: [String]?) -> Text? {
        if let key { return .key(key, arguments: arguments ?? []) }
        return literal.map(Text.literal)
    }
}

extension JSONValue {
    /// The value without any `null` inside, because a property list such as `userInfo` cannot contain `null`; `nil` for `null`
    /// itself.
    fileprivate var withoutNulls: JSONValue? {
        switch self {
        case .null: nil
        case .array(let elements): .array(elements.compactMap(\.withoutNulls))
        case .object(let members): .object(members.compactMapValues(\.withoutNulls))
        case .bool, .int, .double, .number, .string: self
        }
    }
}

extension LocalNotification {
    /// The notification as a `UNNotificationContent`.
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
        let attached = attachment.flatMap { try? UNNotificationAttachment(identifier: identifier, url: $0) }
        content.attachments = attached.map { [$0] } ?? []
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
