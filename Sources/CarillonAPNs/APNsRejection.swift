import CarillonCore
import Foundation

/// Why APNs rejected a push.
public struct APNsRejection: Sendable, Hashable {
    /// Apple's reason; one that Apple adds later is carried through.
    ///
    /// When the answer had none, such as a proxy's, it is the text `HTTP` followed by the status.
    public let reason: APNsReason
    /// The HTTP status.
    public let status: Int
    /// The time at which the device token stopped being valid; only with status 410.
    public let timestamp: Timestamp?
    /// The `apns-id` of the push that was rejected.
    public let apnsID: UUID

    /// A rejection as the client returns it, for tests of code that handles them.
    public init(reason: APNsReason, status: Int, timestamp: Timestamp?, apnsID: UUID) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
        self.apnsID = apnsID
    }

    /// The recommended response to the rejection.
    public var remedy: APNsRemedy { reason.remedy(status: status) }
}
