import CarillonCore

/// An event of one message on one device.
package enum DeliveryEvent: Sendable, Hashable {
    /// The message was accepted again, with new content or after a recall.
    ///
    /// `user` is the user that it is addressed to.
    case accepted(revision: Int, user: String?)
    /// The message must leave the phone, or must not get there.
    case withdrawn(Removal.Reason)
    /// The message's `until` has passed: waiting pushes end, and the phone removes the message.
    case ended
    /// Waiting pushes must not be sent, for this reason.
    ///
    /// Pushes that may have arrived are not affected.
    case cancelled(String)
    /// A sender leases a push.
    case leased(PushPurpose, to: SenderNumber)
    /// A sender reports the outcome of a push, with the verdict on it.
    case answered(SentPush, SendVerdict)
    /// The sender that leased the push is gone.
    ///
    /// It reports no outcome, or a late one.
    case lapsed(PushPurpose)
    /// A push expired before it could be sent.
    ///
    /// The text is the timeline's reason.
    case expired(PushPurpose, String)
    /// The phone reports on a revision.
    case reported(ReceiptEvent, revision: Int)
}
