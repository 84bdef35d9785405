import CarillonCore

/// What can happen to one message on one device.
package enum DeliveryEvent: Sendable, Hashable {
    /// The message was accepted again, with other content or after a recall; `user` is the person it is addressed to.
    case accepted(revision: Int, user: String?)
    /// It must leave the phone, or not get there.
    case withdrawn(Removal.Reason)
    /// Its `until` has passed, and what has expired leaves the screen.
    case ended
    /// Whatever waits is not to be sent, and why; what may have arrived stays.
    case cancelled(String)
    /// A sender takes one of its pushes.
    case leased(PushPurpose, to: SenderNumber)
    /// A sender says what came of a push, and what follows from that.
    case answered(Settlement, SendVerdict)
    /// The sender that held a push is gone and will say nothing any more, or only late.
    case lapsed(PushPurpose)
    /// Its time has passed before it could be sent, and what the timeline says of it.
    case expired(PushPurpose, String)
    /// The phone says what became of a revision.
    case reported(ReceiptEvent, revision: Int)
}
