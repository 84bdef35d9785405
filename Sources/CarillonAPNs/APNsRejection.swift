import CarillonCore
import Foundation

/// A rejection of a push by APNs.
public struct APNsRejection: Sendable, Hashable {
    /// Apple's reason.
    ///
    /// A reason that Apple does not document is kept unchanged. If the answer has no reason, like the answer of a proxy, the
    /// reason is the text `HTTP` followed by the status.
    public let reason: APNsReason
    /// The HTTP status of the answer.
    public let status: Int
    /// The time at which the device token stopped being valid.
    ///
    /// It is set only for status 410.
    public let timestamp: Timestamp?
    /// The `apns-id` of the rejected push.
    public let apnsID: UUID
    /// The time by which this machine's clock is ahead of the `Date` in the answer; negative if the clock is behind.
    ///
    /// The value is `nil` if the status is not 403 or the answer has no `Date` header. Apple does not document this header.
    public let clockLead: Duration?
    /// The least time to wait before the next try, as the answer's `Retry-After` asks: at most 15 minutes.
    ///
    /// The value is `nil` if the status is neither 429 nor 500 or more, or if the answer has no `Retry-After` header that can be read.
    public let retryAfter: Duration?

    /// Makes a rejection as the client returns it, for tests of code that handles rejections.
    public init(
        reason: APNsReason, status: Int, timestamp: Timestamp?, apnsID: UUID, clockLead: Duration? = nil,
        retryAfter: Duration? = nil
    ) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
        self.apnsID = apnsID
        self.clockLead = clockLead
        self.retryAfter = retryAfter
    }

    /// The step that the sender should take after this rejection.
    public var remedy: APNsRemedy { reason.remedy(status: status) }
}
