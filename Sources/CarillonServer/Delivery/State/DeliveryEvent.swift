import CarillonCore

/// An event of one message on one device.
package enum DeliveryEvent: Sendable, Hashable {
    /// The service has accepted the message again, with new content or after a recall.
    ///
    /// `user` is the user to whom the message is addressed.
    case accepted(revision: Int, user: String?)
    /// The message was withdrawn, for this reason: the phone must remove it, or must not get it if it was not sent yet.
    case withdrawn(Removal.Reason)
    /// The message's `until` has passed, so waiting pushes end and the phone must remove the message.
    case ended
    /// The message's waiting pushes are cancelled; the text is the reason.
    ///
    /// Pushes that may have arrived are not affected.
    case cancelled(String)
    /// A sender leases a push.
    case leased(PushPurpose, to: SenderNumber)
    /// A sender reports the outcome of a push; the verdict is the service's decision about the push.
    case answered(SentPush, SendVerdict)
    /// The sender that leased the push is gone.
    ///
    /// The sender's report of the outcome never comes, or comes late.
    case lapsed(PushPurpose)
    /// A push expired before it could be sent.
    ///
    /// The text is the reason for the timeline.
    case expired(PushPurpose, String)
    /// The phone reports an event about a revision of the message.
    case reported(ReceiptEvent, revision: Int)
}
