import CarillonCore

/// An event that the sending loop receives.
enum SendingEvent: Sendable {
    /// A wake-up: something may be due.
    case woken
    /// The credentials of these apps have changed.
    case credentialsChanged(Set<AppID>)
    /// A request to end: the sender waits for the pushes in flight and stores their outcomes.
    case drain
    case joined(JoinedSender)
    /// The other senders, as seen by a heartbeat that began at this uptime.
    case beaten([SenderBeat], at: Duration)
    /// Another sender has taken over this sender's leases.
    case ended
    case released(SenderBeat, SenderRelease)
    /// Deliveries were claimed; if the claim was a probe, for this app only.
    case claimed(Claim, probe: AppID?)
    /// It is unknown whether a claim has leased anything.
    case claimUnknown
    /// The outcomes of pushes, which became known at this uptime.
    case answered([SentPush], at: Duration)
    case settled([SentPush])
    /// A failure to store outcomes, with the reason.
    case unsettled([SentPush], String)
    /// A failure of the store to do this work, with the reason.
    case failed(SendingWork, String)
}

/// A kind of work that the sending loop delegates.
///
/// At most one of each kind runs at a time.
enum SendingWork: Sendable, Hashable, CaseIterable {
    case joining, beating, releasing, claiming, settling
}
