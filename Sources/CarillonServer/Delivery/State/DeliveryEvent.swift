import CarillonCore

/// An event of one message on one device.
package enum DeliveryEvent: Sendable, Hashable {
    /// The message was accepted again, with other content or after a recall; `user` is the addressee.
    case accepted(revision: Int, user: String?)
    /// The message must leave the phone, or must not get there.
    case withdrawn(Removal.Reason)
    /// The message's `until` has passed: its pushes end, and it leaves the screen.
    case ended
    /// Waiting pushes must not be sent, for this reason; pushes that may have arrived stay.
    case cancelled(String)
    /// A sender leases a push.
    case leased(PushPurpose, to: SenderNumber)
    /// A sender reports the outcome of a push, with the verdict on it.
    case answered(SentPush, SendVerdict)
    /// The sender that held a push is gone and will report no outcome, or report it late.
    case lapsed(PushPurpose)
    /// A push expired before it could be sent; the text is the timeline's reason.
    case expired(PushPurpose, String)
    /// The phone reports on a revision.
    case reported(ReceiptEvent, revision: Int)
}
