import CarillonCore
import Foundation

/// What APNs answered. Both are answers: a rejection is a result, not an error.
public enum APNsOutcome: Sendable, Hashable {
    /// APNs took the push. That says nothing yet about the device.
    ///
    /// - Parameters:
    ///   - apnsID: the `apns-id` of the answer.
    ///   - uniqueID: the `apns-unique-id`, by which Apple's console finds the push; sandbox only.
    case accepted(apnsID: UUID, uniqueID: String?)

    /// APNs refused the push, and says why.
    case rejected(APNsRejection)
}

/// Why APNs refused a push.
public struct APNsRejection: Sendable, Hashable {
    /// Apple's reason; one that Apple adds later is carried through. When the answer had none (a proxy's, say) it is
    /// the text `HTTP` followed by the status.
    public let reason: APNsReason
    /// The HTTP status.
    public let status: Int
    /// When the device token stopped being valid; only with status 410.
    public let timestamp: Timestamp?
    /// The push that was refused.
    public let apnsID: UUID

    public init(reason: APNsReason, status: Int, timestamp: Timestamp?, apnsID: UUID) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
        self.apnsID = apnsID
    }

    /// What to do about it.
    public var remedy: APNsRemedy { reason.remedy(status: status) }
}
