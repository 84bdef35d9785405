import CarillonCore

/// An event of one message on one device.
package enum DeliveryEvent: Sendable, Hashable {
    /// The service has accepted the message again, with new content or after a recall.
    ///
    /// `user` is the user to whom the message is addressed.
    case accepted(revision: Int, user: String?)
    /// In local time, the message is due for the device from this time on, or the device is skipped.
    ///
    /// Only a queued first push is affected; the attempt at an earlier revision that is in flight goes on.
    case turn(LocalTurn)
    /// The phone must remove the message, or must not get it if it was not sent yet.
    ///
    /// The value is the reason, such as a recall.
    case withdrawn(Removal.Reason)
    /// The message's `until` has passed, so waiting pushes end and the phone must remove the message.
    case ended
    /// The message's waiting pushes are cancelled; the text is the reason.
    ///
    /// Pushes that may have arrived are not affected.
    case cancelled(String)
    /// A sender has leased the push with this purpose, and so alone may send it.
    case leased(PushPurpose, to: SenderNumber)
    /// A sender reports the outcome of a push; the verdict is the service's decision about the push.
    case answered(SentPush, SendVerdict)
    /// The sender that leased the push with this purpose is gone, so nobody reports the push's outcome in time.
    case lapsed(PushPurpose)
    /// A push expired before it could be sent; the text is the reason, which the timeline shows.
    case expired(PushPurpose, String)
    /// The phone reports an event about a revision of the message.
    case reported(ReceiptEvent, revision: Int)
}
