import Foundation

/// The answer of APNs to a push; a rejection is an answer too, not an error.
public enum APNsOutcome: Sendable, Hashable {
    /// APNs accepted the push, which says nothing yet about the device.
    ///
    /// - Parameters:
    ///   - apnsID: the `apns-id` of the answer.
    ///   - uniqueID: the `apns-unique-id`, by which Apple's Push Notifications Console finds the push; sandbox only.
    case accepted(apnsID: UUID, uniqueID: String?)

    /// APNs rejected the push and gave a reason.
    case rejected(APNsRejection)
}
