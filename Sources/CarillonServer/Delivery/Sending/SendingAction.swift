import CarillonCore

/// An action that ``SendingLoop`` asks its caller to perform.
enum SendingAction: Sendable {
    case join
    case beat(SenderNumber)
    case release(SenderBeat)
    case claim(ClaimRequest)
    /// Asks the caller to hand these deliveries to APNs.
    ///
    /// The caller hands them over in groups, because each hand-over costs a task.
    case send([ClaimedDelivery])
    /// Asks the caller to store these outcomes and, unless `claiming` is `nil`, to lease further due pushes in the same
    /// transaction.
    case settle([SentPush], claiming: ClaimRequest?)
    case publish([TimelineEvent])
    case tell(SendingNotice)
    /// Asks the caller to send the loop an event by this time at the latest, even if nothing happens.
    case look(at: Timestamp)
    /// Asks the caller to end the sender and its leases in the store, because all its work is done.
    case finish
}

/// A notice for the operator.
enum SendingNotice: Sendable, Hashable {
    /// Tells that no push of an app can be sent.
    case cannotSend(SendingGates.Alarm)
    /// Tells that an app's pushes are sent again, because the trouble is over.
    case sendsAgain(SendingGates.Alarm)
    /// Tells that an app's alarm is over, because none of the app's pushes waits any more.
    case nothingWaits(SendingGates.Alarm)
    case tookOver(leases: Int)
    /// Tells that another sender has taken over this sender's leases, because this sender was inactive for too long.
    case wasTakenOver
    /// Tells that a request to lease deliveries failed without a known outcome.
    ///
    /// If it leased deliveries nevertheless, another sender takes them over once the leases have run out.
    case claimUnknown
    case storeFailed(SendingWork, String)
    /// Tells that the sender ends before APNs has answered this many pushes, so that another sender sends them again.
    case leftUnanswered(pushes: Int)
    /// Tells that the sender ends without having stored this many outcomes, so that another sender sends those pushes again.
    case gaveUp(outcomes: Int)
}
