/// The state of a message's delivery to one device.
package enum DeliveryState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The push was not handed to APNs yet, or is to be tried again.
    case queued
    /// APNs has accepted the push; the receipts show the rest.
    case accepted
    /// APNs has refused the push for good; the timeline has its reason.
    case rejected
    /// The push was given up after several attempts without an answer.
    case unanswered
    /// The push expired before it could be sent.
    case expired
    /// The message was recalled, read elsewhere or signed out before the push was sent.
    case cancelled
    /// The push is not sent, because its stored state cannot be read; the operator must act.
    case setAside = "set-aside"
}
