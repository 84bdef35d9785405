import CarillonCore
import Foundation

/// A rejection of a push by APNs.
public struct APNsRejection: Sendable, Hashable {
    /// Apple's reason.
    ///
    /// A reason that Apple adds later is kept unchanged. If the answer has no reason, like the answer of a proxy, the reason is
    /// the text `HTTP` followed by the status.
    public let reason: APNsReason
    /// The HTTP status.
    public let status: Int
    /// The time at which the device token stopped being valid.
    ///
    /// It is set only for status 410.
    public let timestamp: Timestamp?
    /// The `apns-id` of the rejected push.
    public let apnsID: UUID

    /// Makes a rejection like the client's, for tests of code that handles rejections.
    public init(reason: APNsReason, status: Int, timestamp: Timestamp?, apnsID: UUID) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
        self.apnsID = apnsID
    }

    /// The recommended response to the rejection.
    public var remedy: APNsRemedy { reason.remedy(status: status) }
}
