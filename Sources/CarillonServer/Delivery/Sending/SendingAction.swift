import CarillonCore

/// What a sender's loop wants done.
enum SendingAction: Sendable {
    case join
    case beat(SenderNumber)
    case release(SenderBeat)
    case claim(ClaimRequest)
    /// Several at once, since each hand-over costs a task.
    case send([ClaimedDelivery])
    /// Write these outcomes down, and claim what takes their places, in one transaction.
    case settle([SentPush], claiming: ClaimRequest?)
    case publish([TimelineEvent])
    case tell(SendingNotice)
    /// Look again then, whatever comes before.
    case look(at: Timestamp)
    /// All is done that was begun: leave, and end.
    case finish
}

/// What an operator should know.
enum SendingNotice: Sendable, Hashable {
    /// Nothing of an app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// The trouble is over.
    case sendsAgain(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// Its own leases were taken over: it had stood still for too long.
    case wasTakenOver
    /// What its last claim has leased is not known: others take it over after a lease.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// It ends without having written down what it knows: others send those pushes again.
    case gaveUp(outcomes: Int)
}
