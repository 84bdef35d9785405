import CarillonCore

/// An event that a sender's loop receives.
enum SendingEvent: Sendable {
    /// Something may be due, or it is time to look.
    case woken
    /// The credentials of these apps have changed.
    case credentialsChanged(Set<AppID>)
    /// The sender shall end: it waits for the pushes in flight and writes their outcomes down.
    case drain
    case joined(JoinedSender)
    /// The other senders, as seen by a beat that began at this uptime.
    case beaten([SenderBeat], at: Duration)
    /// The sender's own leases were taken over.
    case ended
    case released(SenderBeat, SenderRelease)
    case claimed(Claim, wasProbe: Bool)
    /// It is unknown whether a claim has leased anything.
    case claimUnknown
    /// The outcomes of pushes are known since this uptime.
    case answered([SentPush], at: Duration)
    case settled([SentPush])
    /// Outcomes could not be written down, for this reason.
    case unsettled([SentPush], String)
    /// The store failed to do this work, for this reason.
    case failed(SendingWork, String)
}

/// A kind of work that a sender's loop delegates; each kind runs at most once at a time.
enum SendingWork: Sendable, Hashable, CaseIterable {
    case joining, beating, releasing, claiming, settling
}
