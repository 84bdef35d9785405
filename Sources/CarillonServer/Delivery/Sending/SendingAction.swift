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
    case publish([TimelineEvent])
    case tell(SendingNotice)
    /// Asks the caller to send the loop an event by this time at the latest, even if nothing happens.
    case look(at: Timestamp)
    /// Asks the caller to end the sender's registration and leases (``Lease``) in the store, because the sender has no
    /// work left.
    case finish
}

/// A message for the operator about the sending of an app's pushes, or about the sender itself.
enum SendingNotice: Sendable, Hashable {
    /// Tells that no push of an app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// Tells that an app's pushes are sent again, because the trouble is over.
    case sendsAgain(SendingGates.Alarm)
    /// Tells that an app's alarm is over, because none of the app's pushes waits any more.
    case nothingWaits(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// Tells that another sender has taken over the pushes that this sender had leased, because this sender was
    /// inactive for too long.
    case wasTakenOver
    /// Tells that a request for due deliveries failed, so that it is unknown whether the store has leased some to this
    /// sender.
    ///
    /// Another sender sends such deliveries after their leases (``Lease``) have run out.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// Tells that the sender ends before APNs has answered this many pushes, so that another sender sends them again.
    case leftUnanswered(pushes: Int)
    /// Tells that the sender ends without having stored this many outcomes, so that another sender sends those pushes again.
    case gaveUp(outcomes: Int)
}
