import Foundation

/// A request to show a notification: its content, its identifier and its trigger.
/// [UNNotificationRequest](https://developer.apple.com/documentation/usernotifications/unnotificationrequest)
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable, because the content is a copy.

    /// The identifier; for a push with a collapse ID, the collapse ID.
    open private(set) var identifier: String
    open private(set) var content: UNNotificationContent
    /// The trigger; `nil` means immediately. A push has a ``UNPushNotificationTrigger``.
    open private(set) var trigger: UNNotificationTrigger?

    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        // Immutable content needs no copy.
        let isImmutable = type(of: content) == UNNotificationContent.self
        self.content = isImmutable ? content : UNNotificationContent(fields: content.fields)
        self.trigger = trigger
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationRequest else { return false }
        return other.identifier == identifier && other.content == content && other.trigger == trigger
    }

    open override var hash: Int { identifier.hashValue }

    open override var description: String {
        let trigger = trigger.map { "\(type(of: $0))" } ?? "(null)"
        return "<UNNotificationRequest: identifier: \(identifier), content: \(content), trigger: \(trigger)>"
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeText("identifier"),
            let content = coder.decodeValue(UNNotificationContent.self, "content")
        else { return nil }
        self.identifier = identifier
        self.content = content
        trigger = coder.decodeTrigger("trigger")
    }

    open func encode(with coder: NSCoder) {
        coder.encodeText(identifier, "identifier")
        coder.encode(content, forKey: "content")
        coder.encode(trigger, forKey: "trigger")
    }
}
