import CarillonCore

/// An action that ``SendingLoop`` asks its caller to perform.
enum SendingAction: Sendable {
    case join
    case beat(SenderNumber)
    case release(SenderBeat)
    case claim(ClaimRequest)
    /// Asks the caller to hand these deliveries to APNs.
    ///
    /// The caller hands them over in groups, because each group costs one Swift task.
    case send([ClaimedDelivery])
    /// Asks the caller to store these outcomes and, unless `claiming` is `nil`, to request further due pushes for this
    /// sender in the same transaction.
    case settle([SentPush], claiming: ClaimRequest?)
    case tell(SendingNotice)
    /// Asks the caller to pass ``SendingEvent/woken`` to the ``SendingLoop`` at this time, unless another event comes earlier.
    case look(at: Timestamp)
    /// Asks the caller to end the sender's registration and leases (``Lease``) in the store, because the sender has no
    /// work left.
    case finish
}

/// A message for the operator about the sending of an app's pushes, or about the sender itself.
enum SendingNotice: Sendable, Hashable {
    /// Tells the operator that no push of an app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// Tells the operator that the sending of an app's pushes goes on, because the trouble that stopped it is over.
    case sendsAgain(SendingGates.Alarm)
    /// Tells the operator that an app's alarm is over, because none of the app's pushes waits any more.
    case nothingWaits(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// Tells the operator that another sender has taken over the pushes that this sender had leased, because this sender was
    /// inactive for too long.
    case wasTakenOver
    /// Tells the operator that a request for due deliveries failed, and that the store may or may not have leased some to this
    /// sender.
    ///
    /// Another sender sends such deliveries after their leases (``Lease``) have run out.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// Tells the operator that the sender ends while this many of its pushes have no answer from APNs; another sender will send
    /// them again.
    case leftUnanswered(pushes: Int)
    /// Tells the operator that the sender ends and could not store this many outcomes; another sender will send those pushes
    /// again.
    case gaveUp(outcomes: Int)
}
