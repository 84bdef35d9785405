import CarillonCore

/// An action that the sending loop asks its caller to perform.
enum SendingAction: Sendable {
    case join
    case beat(SenderNumber)
    case release(SenderBeat)
    case claim(ClaimRequest)
    /// Asks the caller to hand these deliveries to APNs.
    ///
    /// The deliveries come in groups, because each hand-over costs a task.
    case send([ClaimedDelivery])
    /// Asks the caller to store these outcomes and to claim deliveries for the freed places, in one transaction.
    case settle([SentPush], claiming: ClaimRequest?)
    case publish([TimelineEvent])
    case tell(SendingNotice)
    /// Asks the caller to call the loop again at this time at the latest.
    case look(at: Timestamp)
    /// Asks the caller to sign the sender off and to end it, because all work is done.
    case finish
}

/// A notice for the operator.
enum SendingNotice: Sendable, Hashable {
    /// No push of the app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// The app's pushes are sent again, because the trouble is over.
    case sendsAgain(SendingGates.Alarm)
    /// An app's alarm is over, because none of the app's pushes waits any more.
    case nothingWaits(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// Another sender has taken over this sender's leases, because this sender was inactive for too long.
    case wasTakenOver
    /// The outcome of the last claim is unknown.
    ///
    /// If the claim leased deliveries, another sender takes them over once the leases have run out.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// The sender ends before APNs has answered these pushes, so another sender sends them again.
    case leftUnanswered(pushes: Int)
    /// The sender ends without having stored this many outcomes, so another sender sends those pushes again.
    case gaveUp(outcomes: Int)
}
