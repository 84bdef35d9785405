import CarillonCore
import Foundation

/// A message that has been checked and is ready to be accepted.
public struct NewMessage: Sendable, Hashable {
    public var id: MessageID
    public var topic: String
    public var mode: DeliveryMode
    public var until: Timestamp?
    /// The sender's payload as JSON, without Carillon's key.
    public var payload: Data
    /// Whether the service puts the user's unread count on the icon.
    public var badgeIsUnreadCount: Bool
    /// Whether each addressed user has one unread message more.
    public var countsAsUnread: Bool
    /// In whose words it is sent, beside Carillon's own.
    public var dialect: MessageDialect
    public var audience: Audience
    /// SHA-256 of the request's canonical body: tells a repetition from another message.
    public var fingerprint: Data
    public var idempotencyKey: IdempotencyKey?

    public init(
        id: MessageID, topic: String, mode: DeliveryMode, until: Timestamp?, payload: Data, badgeIsUnreadCount: Bool,
        countsAsUnread: Bool, dialect: MessageDialect = .carillon, audience: Audience, fingerprint: Data,
        idempotencyKey: IdempotencyKey?
    ) {
        self.id = id
        self.topic = topic
        self.mode = mode
        self.until = until
        self.payload = payload
        self.badgeIsUnreadCount = badgeIsUnreadCount
        self.countsAsUnread = countsAsUnread
        self.dialect = dialect
        self.audience = audience
        self.fingerprint = fingerprint
        self.idempotencyKey = idempotencyKey
    }
}

/// The caller's name for one request; each API key has names of its own.
public struct IdempotencyKey: Sendable, Hashable {
    public var owner: String
    public var key: String

    public init(owner: String, key: String) {
        self.owner = owner
        self.key = key
    }
}

/// What came of ``Store/accept(_:at:)``.
public enum Acceptance: Sendable, Hashable {
    /// On disk.
    case accepted(SendAnswer, [TimelineEvent])
    /// It had been accepted before; nothing was changed.
    case repeated(SendAnswer)
    case refused(Refusal)

    public enum Refusal: Sendable, Hashable {
        /// The same idempotency key came with another body.
        case idempotencyKeyReused
        /// The very message was recalled; with other content the id may be used again.
        case recalled
        /// The id belongs to a message of another app.
        case otherTopic(String)
        /// More devices than ``ServiceLimits/audienceDevices``.
        case audienceTooLarge(Int)
    }
}
