import CarillonCore

/// An event that the sending loop receives.
enum SendingEvent: Sendable {
    /// A wake-up, because a delivery may be due.
    case woken
    /// The credentials of these apps have changed.
    case credentialsChanged(Set<AppID>)
    /// A request to end; the sender first waits for the pushes in flight and stores their outcomes.
    case drain
    case joined(JoinedSender)
    /// The other senders, as read from the store by this sender's heartbeat, which began at this uptime.
    case beaten([SenderBeat], at: Duration)
    /// Another sender has taken over this sender's leases.
    case ended
    case released(SenderBeat, SenderRelease)
    /// The result of a claim; `probe` is the app if the claim was a probe of a stopped app.
    case claimed(Claim, probe: AppID?)
    /// A claim failed, and may have leased deliveries nevertheless.
    case claimUnknown
    /// The outcomes of pushes, with the uptime at which they became known.
    case answered([SentPush], at: Duration)
    case settled([SentPush])
    /// A failure to store outcomes, with the reason.
    case unsettled([SentPush], String)
    /// A failure of the store to do this work, with the reason.
    case failed(SendingWork, String)
}

/// A kind of work that the sending loop delegates.
///
/// At most one piece of work of each kind runs at a time.
enum SendingWork: Sendable, Hashable, CaseIterable {
    case joining, beating, releasing, claiming, settling
}
