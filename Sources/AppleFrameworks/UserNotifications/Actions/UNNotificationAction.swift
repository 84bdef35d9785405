import Foundation

/// The behaviour of an action.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Performs the action only on an unlocked phone.
    public static let authenticationRequired = Self(rawValue: 1)
    public static let destructive = Self(rawValue: 2)
    /// Opens the app.
    public static let foreground = Self(rawValue: 4)
}

/// A button of a notification.
/// [UNNotificationAction](https://developer.apple.com/documentation/usernotifications/unnotificationaction)
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding {
    public let identifier: String
    public let title: String
    public let options: UNNotificationActionOptions
    @available(iOS 15, *)
    public let icon: UNNotificationActionIcon?

    @available(iOS 15, *)
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.icon = icon
    }

    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(identifier: identifier, title: title, options: options, icon: nil)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationAction else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier && other.title == title
            && other.options == options && other.icon == icon
    }

    open override var hash: Int { identifier.hashValue }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeText("identifier"), let title = coder.decodeText("title") else {
            return nil
        }
        self.identifier = identifier
        self.title = title
        options = UNNotificationActionOptions(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "options")))
        icon = coder.decodeObject(of: UNNotificationActionIcon.self, forKey: "icon")
    }

    open func encode(with coder: NSCoder) {
        coder.encodeText(identifier, "identifier")
        coder.encodeText(title, "title")
        coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
        coder.encode(icon, forKey: "icon")
    }
}
