import Foundation

/// The action identifier of a response that opens the app from a notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action identifier of a response that dismisses a notification; the app gets it if the category has
/// `customDismissAction`.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// The person's response to a notification.
/// [UNNotificationResponse](https://developer.apple.com/documentation/usernotifications/unnotificationresponse)
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable, except for the scene, which the phone sets before any other code has the object.
    open private(set) var notification: UNNotification
    /// The default action, the dismiss action, or an action of the notification's category.
    open private(set) var actionIdentifier: String

    /// The scene that should react to the response; UIKit publishes the scene as `targetScene`, with the type `UIScene`.
    @_spi(Simulation) public weak var simulatedScene: AnyObject?

    @_spi(Simulation) public init(notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationResponse else { return false }
        return other.notification == notification && other.actionIdentifier == actionIdentifier
    }

    open override var hash: Int { notification.hash ^ actionIdentifier.hashValue }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let notification = coder.decodeValue(UNNotification.self, "notification"),
            let actionIdentifier = coder.decodeText("actionIdentifier")
        else { return nil }
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }

    open func encode(with coder: NSCoder) {
        coder.encode(notification, forKey: "notification")
        coder.encodeText(actionIdentifier, "actionIdentifier")
    }
}

/// A response with the text that the person typed.
/// [UNTextInputNotificationResponse](https://developer.apple.com/documentation/usernotifications/untextinputnotificationresponse)
open class UNTextInputNotificationResponse: UNNotificationResponse {
    open private(set) var userText: String

    @_spi(Simulation) public init(notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(notification: notification, actionIdentifier: actionIdentifier)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNTextInputNotificationResponse)?.userText == userText
    }

    open override var hash: Int { super.hash ^ userText.hashValue }

    public required init?(coder: NSCoder) {
        userText = coder.decodeText("userText") ?? ""
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeText(userText, "userText")
    }
}
