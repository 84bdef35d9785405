import Foundation

/// The behaviour of a category's notifications.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Tells the app when the person dismisses a notification.
    public static let customDismissAction = Self(rawValue: 1)
    public static let allowInCarPlay = Self(rawValue: 2)
    @available(iOS 11, *)
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    @available(iOS 11, *)
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// Lets Siri announce the category's notifications. Deprecated since iOS 15.
    @available(iOS, introduced: 13, deprecated: 15)
    public static let allowAnnouncement = Self(rawValue: 16)
}

/// A kind of notification, with its buttons.
/// [UNNotificationCategory](https://developer.apple.com/documentation/usernotifications/unnotificationcategory)
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable.
    public let identifier: String
    public let actions: [UNNotificationAction]
    public let intentIdentifiers: [String]
    public let options: UNNotificationCategoryOptions
    @available(iOS 11, *)
    public let hiddenPreviewsBodyPlaceholder: String
    @available(iOS 12, *)
    public let categorySummaryFormat: String

    @available(iOS 11, *)
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        self.categorySummaryFormat = categorySummaryFormat ?? ""
    }

    @available(iOS 11, *)
    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil, options: options)
    }

    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationCategory else { return false }
        return other.identifier == identifier && other.actions == actions && other.options == options
            && other.intentIdentifiers == intentIdentifiers
            && other.hiddenPreviewsBodyPlaceholder == hiddenPreviewsBodyPlaceholder
            && other.categorySummaryFormat == categorySummaryFormat
    }

    open override var hash: Int { identifier.hashValue }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeText("identifier") else { return nil }
        self.identifier = identifier
        let archived = coder.decodeObject(
            of: [NSArray.self, UNNotificationAction.self, UNTextInputNotificationAction.self], forKey: "actions")
        actions = archived as? [UNNotificationAction] ?? []
        let intents = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "intentIdentifiers")
        intentIdentifiers = intents as? [String] ?? []
        options = UNNotificationCategoryOptions(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "options")))
        hiddenPreviewsBodyPlaceholder = coder.decodeText("hiddenPreviewsBodyPlaceholder") ?? ""
        categorySummaryFormat = coder.decodeText("categorySummaryFormat") ?? ""
    }

    open func encode(with coder: NSCoder) {
        coder.encodeText(identifier, "identifier")
        coder.encode(NSArray(array: actions), forKey: "actions")
        coder.encode(NSArray(array: intentIdentifiers.map { NSString(string: $0) }), forKey: "intentIdentifiers")
        coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
        coder.encodeText(hiddenPreviewsBodyPlaceholder, "hiddenPreviewsBodyPlaceholder")
        coder.encodeText(categorySummaryFormat, "categorySummaryFormat")
    }
}
