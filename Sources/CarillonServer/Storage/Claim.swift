import CarillonCore
import Foundation

/// One app in one of Apple's two worlds: what a credential is good for.
package struct AppID: Sendable, Hashable, CustomStringConvertible {
    package var topic: String
    package var environment: APNsEnvironment

    package init(topic: String, environment: APNsEnvironment) {
        self.topic = topic
        self.environment = environment
    }

    package var description: String { "\(topic) (\(environment.rawValue))" }
}

/// What a worker asks for.
package struct ClaimRequest: Sendable, Hashable {
    package var worker: String
    package var limit: Int
    package var leaseUntil: Timestamp
    /// Apps whose sending is stopped.
    package var except: Set<AppID>
    /// Only this app's deliveries; `nil` for all.
    package var only: AppID?

    package init(worker: String, limit: Int, leaseUntil: Timestamp, except: Set<AppID> = [], only: AppID? = nil) {
        self.worker = worker
        self.limit = limit
        self.leaseUntil = leaseUntil
        self.except = except
        self.only = only
    }
}

/// What a worker got.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// What was finished on the way: expired, or without a valid token.
    package var events: [TimelineEvent]
    /// Rows looked at, sent or not; 0 when nothing is due.
    package var examined: Int

    package init(deliveries: [ClaimedDelivery], events: [TimelineEvent], examined: Int) {
        self.deliveries = deliveries
        self.events = events
        self.examined = examined
    }
}

/// One push to be made, with all that its composition needs.
package struct ClaimedDelivery: Sendable, Hashable {
    /// Identifies the delivery within the store.
    package var number: Int64
    package var purpose: PushPurpose
    package var device: String
    package var app: AppID
    package var token: DeviceToken
    package var tokenRegistered: Timestamp
    package var revision: Int
    /// 2 or more when an earlier attempt may have arrived.
    package var attempt: Int
    /// How often it was tried, whether or not it can have arrived: what back-off grows with.
    package var tries: Int
    /// When it was first queued.
    package var queued: Timestamp
    /// Absent for a badge push and for a removal push that is about no single message.
    package var message: ClaimedMessage?
    /// The user's unread count; absent when the device is bound to nobody.
    package var unread: Int?
    /// The device's unconfirmed removals, newest first, at most ``ServiceLimits/removalsPerPush``.
    package var removals: [Removal]
    package var hasMoreRemovals: Bool
    /// Silent pushes of assured messages in a row that this device did not answer.
    package var silentUnanswered: Int
    /// For a removal and a badge push: whether APNs has accepted messages for this device about which the device has
    /// said nothing yet, other than those to remove. They may be waiting at APNs.
    package var hasUnanswered: Bool

    package init(
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
package struct ClaimedMessage: Sendable, Hashable {
    package var id: MessageID
    package var mode: DeliveryMode
    package var until: Timestamp?
    package var payload: Payload
    package var badgeIsUnreadCount: Bool
    package var dialect: MessageDialect

    package init(
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
