import Foundation

/// The answer of APNs to a push.
///
/// A rejection is an answer, not an error.
public enum APNsOutcome: Sendable, Hashable {
    /// APNs accepted the push.
    ///
    /// This does not mean that the device received it.
    ///
    /// - Parameters:
    ///   - apnsID: the `apns-id` of the answer.
    ///   - uniqueID: the `apns-unique-id`, by which Apple's Push Notifications Console finds the push. Only the sandbox sends
    ///     it.
    case accepted(apnsID: UUID, uniqueID: String?)

    /// APNs rejected the push and gave a reason.
    case rejected(APNsRejection)
}
