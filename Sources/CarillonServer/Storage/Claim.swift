import CarillonCore
import Foundation

/// One app in one of Apple's two worlds: what a credential is good for.
public struct AppID: Sendable, Hashable, CustomStringConvertible {
    public var topic: String
    public var environment: APNsEnvironment

    public init(topic: String, environment: APNsEnvironment) {
        self.topic = topic
        self.environment = environment
    }

    public var description: String { "\(topic) (\(environment.rawValue))" }
}

/// What a worker asks for.
public struct ClaimRequest: Sendable, Hashable {
    public var worker: String
    public var limit: Int
    public var leaseUntil: Timestamp
    /// Apps whose sending is stopped.
    public var except: Set<AppID>
    /// Only this app's deliveries; `nil` for all.
    public var only: AppID?

    public init(worker: String, limit: Int, leaseUntil: Timestamp, except: Set<AppID> = [], only: AppID? = nil) {
        self.worker = worker
        self.limit = limit
        self.leaseUntil = leaseUntil
        self.except = except
        self.only = only
    }
}

/// What a worker got.
public struct Claim: Sendable, Hashable {
    public var deliveries: [ClaimedDelivery]
    /// What was finished on the way: expired, or without a valid token.
    public var events: [TimelineEvent]
    /// Rows looked at, sent or not; 0 when nothing is due.
    public var examined: Int

    public init(deliveries: [ClaimedDelivery], events: [TimelineEvent], examined: Int) {
        self.deliveries = deliveries
        self.events = events
        self.examined = examined
    }
}

/// One push to be made, with all that its composition needs.
public struct ClaimedDelivery: Sendable, Hashable {
    /// Identifies the delivery within the store.
    public var number: Int64
    public var purpose: PushPurpose
    public var device: String
    public var app: AppID
    public var token: DeviceToken
    public var tokenRegistered: Timestamp
    public var revision: Int
    /// 2 or more when an earlier attempt may have arrived.
    public var attempt: Int
    /// How often it was tried, whether or not it can have arrived: what back-off grows with.
    public var tries: Int
    /// When it was first queued.
    public var queued: Timestamp
    /// Absent for a badge push and for a removal push that is about no single message.
    public var message: ClaimedMessage?
    /// The user's unread count; absent when the device is bound to nobody.
    public var unread: Int?
    /// The device's unconfirmed removals, newest first, at most ``ServiceLimits/removalsPerPush``.
    public var removals: [Removal]
    public var hasMoreRemovals: Bool
    /// Silent pushes of assured messages in a row that this device did not answer.
    public var silentUnanswered: Int
    /// For a removal and a badge push: whether APNs has accepted messages for this device about which the device has
    /// said nothing yet, other than those to remove. They may be waiting at APNs.
    public var hasUnanswered: Bool

    public init(
        number: Int64, purpose: PushPurpose, device: String, app: AppID, token: DeviceToken,
        tokenRegistered: Timestamp, revision: Int, attempt: Int, tries: Int, queued: Timestamp,
        message: ClaimedMessage?, unread: Int?, removals: [Removal], hasMoreRemovals: Bool, silentUnanswered: Int,
        hasUnanswered: Bool
    ) {
        self.number = number
        self.purpose = purpose
        self.device = device
        self.app = app
        self.token = token
        self.tokenRegistered = tokenRegistered
        self.revision = revision
        self.attempt = attempt
        self.tries = tries
        self.queued = queued
        self.message = message
        self.unread = unread
        self.removals = removals
        self.hasMoreRemovals = hasMoreRemovals
        self.silentUnanswered = silentUnanswered
        self.hasUnanswered = hasUnanswered
    }
}

/// The message of a ``ClaimedDelivery``.
public struct ClaimedMessage: Sendable, Hashable {
    public var id: MessageID
    public var mode: DeliveryMode
    public var until: Timestamp?
    public var payload: Payload
    public var badgeIsUnreadCount: Bool
    public var dialect: MessageDialect

    public init(
        id: MessageID, mode: DeliveryMode, until: Timestamp?, payload: Payload, badgeIsUnreadCount: Bool,
        dialect: MessageDialect = .carillon
    ) {
        self.id = id
        self.mode = mode
        self.until = until
        self.payload = payload
        self.badgeIsUnreadCount = badgeIsUnreadCount
        self.dialect = dialect
    }
}
