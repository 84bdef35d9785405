import CarillonCore

/// An action that a sender's loop asks for.
enum SendingAction: Sendable {
    case join
    case beat(SenderNumber)
    case release(SenderBeat)
    case claim(ClaimRequest)
    /// Send these deliveries; several together, since each hand-over costs a task.
    case send([ClaimedDelivery])
    /// Write these outcomes down and claim deliveries for the freed places, in one transaction.
    case settle([SentPush], claiming: ClaimRequest?)
    case publish([TimelineEvent])
    case tell(SendingNotice)
    /// Call the loop again at this time at the latest.
    case look(at: Timestamp)
    /// Leave and end: all work that was begun is done.
    case finish
}

/// A notice for the operator.
enum SendingNotice: Sendable, Hashable {
    /// No push of an app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// The app's pushes are sent again, because the trouble is over.
    case sendsAgain(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// The sender's own leases were taken over, because it had stood still for too long.
    case wasTakenOver
    /// The outcome of the last claim is unknown: another sender takes over any leases from it after a lease's duration.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// The sender ends before APNs has answered these pushes: they are sent again.
    case leftUnanswered(pushes: Int)
    /// The sender ends without having written down these outcomes: others send the pushes again.
    case gaveUp(outcomes: Int)
}
