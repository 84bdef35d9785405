import Foundation

/// The content of a notification; read-only.
/// [UNNotificationContent](https://developer.apple.com/documentation/usernotifications/unnotificationcontent)
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    // `@unchecked`: immutable after `init` in this class. Its mutable subclass is unsafe to share, as on iOS.
    var fields: ContentFields

    public override init() { fields = ContentFields() }

    init(fields: ContentFields) { self.fields = fields }

    open var attachments: [UNNotificationAttachment] { fields.attachments }
    /// The number on the icon: `nil` does not change it, 0 removes it.
    open var badge: NSNumber? { fields.badge }
    open var body: String { fields.body }
    open var categoryIdentifier: String { fields.categoryIdentifier }
    open var launchImageName: String { fields.launchImageName }
    open var sound: UNNotificationSound? { fields.sound }
    open var subtitle: String { fields.subtitle }
    open var threadIdentifier: String { fields.threadIdentifier }
    open var title: String { fields.title }
    /// The notification's data; for a push its whole payload, including `aps`.
    open var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// The text that the notification adds to a group's summary. Deprecated since iOS 15, and ignored.
    @available(iOS, introduced: 12, deprecated: 15)
    open var summaryArgument: String { fields.summaryArgument }
    /// The number that the notification adds to a group's summary. The default is 1. Deprecated since iOS 15, and ignored.
    @available(iOS, introduced: 12, deprecated: 15)
    open var summaryArgumentCount: Int { fields.summaryArgumentCount }
    @available(iOS 13, *)
    open var targetContentIdentifier: String? { fields.targetContentIdentifier }
    @available(iOS 15, *)
    open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    /// The rank of the notification in a summary, 0…1. The default is 0.
    @available(iOS 15, *)
    open var relevanceScore: Double { fields.relevanceScore }
    @available(iOS 16, *)
    open var filterCriteria: String? { fields.filterCriteria }

    /// Returns a copy of the content with other attachments.
    @_spi(Simulation) public func withAttachments(_ attachments: [UNNotificationAttachment]) -> UNNotificationContent {
        var fields = fields
        fields.attachments = attachments
        return UNNotificationContent(fields: fields)
    }

    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields: fields) }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields: fields) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationContent).map { $0.fields == fields } ?? false
    }

    open override var hash: Int { fields.hashValue }

    open override var description: String {
        "<\(type(of: self)): title: \(title.count) characters, body: \(body.count) characters, "
            + "categoryIdentifier: \(categoryIdentifier), threadIdentifier: \(threadIdentifier)>"
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = ContentFields(coder: coder) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) { fields.encode(with: coder) }
}
