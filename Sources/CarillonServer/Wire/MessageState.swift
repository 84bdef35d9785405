/// The state of a message as a whole.
package enum MessageState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The message is on the service's disk, and no push has been handed to APNs yet.
    case accepted
    /// The message waits for its scheduled time.
    case scheduled
    /// The message is paused: no push is sent until it is resumed.
    case paused
    /// Sending has begun: some devices are done, others are not.
    case sending
    /// No push is left to send.
    ///
    /// The counts show what arrived.
    case sent
    /// The message was cancelled.
    ///
    /// Pushes that had not been sent are not sent; pushes that had been sent are not affected.
    case cancelled
    /// The message was recalled, by a person or by the backend.
    case recalled
    /// The message's `until` has passed.
    case expired
}
