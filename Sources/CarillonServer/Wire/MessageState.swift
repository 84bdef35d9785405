/// The state of a message as a whole.
package enum MessageState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The service has stored the message, and no push has been handed to APNs yet.
    case accepted
    /// The message waits for its scheduled time.
    case scheduled
    /// The message is paused, so no push is sent until the message is resumed.
    case paused
    /// Sending has begun: some devices are done, others are not.
    case sending
    /// No push is left to send.
    ///
    /// The report's counts show what arrived.
    case sent
    /// The message was cancelled.
    ///
    /// Pushes that had not been sent are not sent; pushes that had been sent are not affected.
    case cancelled
    /// The backend or an operator has recalled the message.
    case recalled
    /// The message has expired, because its `until` has passed.
    case expired
}
