import Foundation

/// What a notification says; read-only.
/// [UNNotificationContent](https://developer.apple.com/documentation/usernotifications/unnotificationcontent)
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding, @unchecked Sendable {
    // `@unchecked`: immutable after `init` in this class. Its mutable subclass is unsafe to share, here as on iOS.
    var fields: ContentFields

    public override init() { fields = ContentFields() }

    init(fields: ContentFields) { self.fields = fields }

    public var attachments: [UNNotificationAttachment] { fields.attachments }
    /// `nil` leaves the icon's number as it is; 0 removes it.
    public var badge: NSNumber? { fields.badge }
    public var body: String { fields.body }
    public var categoryIdentifier: String { fields.categoryIdentifier }
    public var launchImageName: String { fields.launchImageName }
    public var sound: UNNotificationSound? { fields.sound }
    public var subtitle: String { fields.subtitle }
    public var threadIdentifier: String { fields.threadIdentifier }
    public var title: String { fields.title }
    /// A push's whole payload, `aps` included.
    public var userInfo: [AnyHashable: Any] { fields.userInfo }
    /// Deprecated since iOS 15, and ignored.
    public var summaryArgument: String { fields.summaryArgument }
    /// Deprecated since iOS 15, and ignored. The default is 1.
    public var summaryArgumentCount: Int { fields.summaryArgumentCount }
    public var targetContentIdentifier: String? { fields.targetContentIdentifier }
    public var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    /// 0…1; ranks the notification in a summary. The default is 0.
    public var relevanceScore: Double { fields.relevanceScore }
    public var filterCriteria: String? { fields.filterCriteria }

    /// - Throws: `UNError.contentProvidingObjectNotAllowed`. Only objects of the system (message and call intents)
    ///   may provide content, and there are none on Linux.
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        throw UNError(.contentProvidingObjectNotAllowed)
    }

    public func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(fields: fields) }

    public func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields: fields) }

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

    public func encode(with coder: NSCoder) { fields.encode(with: coder) }
}

/// A marker for objects that can rewrite a notification's content.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
