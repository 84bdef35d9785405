/// The state of a message's delivery to one device.
package enum DeliveryState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The push has not been handed to APNs yet, or waits for another attempt.
    case queued
    /// APNs has accepted the push.
    ///
    /// The device's receipts then appear on the timeline.
    case accepted
    /// APNs has rejected the push for good.
    ///
    /// The timeline contains the reason.
    case rejected
    /// The push was given up after several attempts without an answer.
    case unanswered
    /// The push expired before it could be sent.
    case expired
    /// The push was cancelled before it was sent.
    ///
    /// The cause is a recall, a cancellation, a sign-out, or that the person read the message on another device.
    case cancelled
    /// The push is not sent, because its stored state cannot be decoded.
    ///
    /// The operator must act: `carillon db check` lists such deliveries.
    case setAside = "set-aside"
    /// The message is not sent to the device: in local time, its moment was past at the acceptance, or its time zone is not known.
    ///
    /// Only a message that asks for it skips devices (``LocalSchedule``).
    case skipped
}
