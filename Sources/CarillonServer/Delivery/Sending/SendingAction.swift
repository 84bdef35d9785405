import CarillonCore

/// An action that the sending loop asks its caller to do.
enum SendingAction: Sendable {
    case join
    case beat(SenderNumber)
    case release(SenderBeat)
    case claim(ClaimRequest)
    /// Send these deliveries.
    ///
    /// They come in groups, because each hand-over costs a task.
    case send([ClaimedDelivery])
    /// Store these outcomes and claim deliveries for the freed places, in one transaction.
    case settle([SentPush], claiming: ClaimRequest?)
    case publish([TimelineEvent])
    case tell(SendingNotice)
    /// Call the loop again at this time at the latest.
    case look(at: Timestamp)
    /// Sign the sender off and end: all work is done.
    case finish
}

/// A notice for the operator.
enum SendingNotice: Sendable, Hashable {
    /// No push of the app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// The app's pushes are sent again: the trouble is over.
    case sendsAgain(SendingGates.Alarm)
    /// Nothing of an app waits any more, so that its alarm is over.
    case nothingWaits(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// Another sender has taken over this sender's leases, because this one stood still for too long.
    case wasTakenOver
    /// The outcome of the last claim is unknown.
    ///
    /// If it leased deliveries, another sender takes them over after a lease's duration.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// The sender ends before APNs has answered these pushes: they are sent again.
    case leftUnanswered(pushes: Int)
    /// The sender ends without having stored this many outcomes, so other senders send those pushes again.
    case gaveUp(outcomes: Int)
}
