import CarillonCore

/// An event that ``SendingLoop`` receives.
enum SendingEvent: Sendable {
    /// A wake-up of the sender, because a delivery may be due.
    case woken
    /// The credentials of these apps have changed.
    case credentialsChanged(Set<AppID>)
    /// A request to end the sender, which first waits for its pushes in flight and stores their outcomes.
    case drain
    case joined(JoinedSender)
    /// The result of a heartbeat: the other senders, as the store lists them.
    ///
    /// `at` is the time on the monotonic clock at which the heartbeat began.
    case beaten([SenderBeat], at: Duration)
    /// Another sender has taken over this sender's leases.
    case ended
    case released(SenderBeat, SenderRelease)
    /// The deliveries that the store has leased to this sender, as requested.
    ///
    /// `probe` is an app whose sending is stopped, if the request was a test whether the app can send again; otherwise `nil`.
    case claimed(Claim, probe: AppID?)
    /// A request to lease deliveries has failed, but may have leased some nevertheless.
    case claimUnknown
    /// The outcomes of pushes, with the time on the monotonic clock at which they became known.
    case answered([SentPush], at: Duration)
    case settled([SentPush])
    /// The store could not store these outcomes; the text is the reason.
    case unsettled([SentPush], String)
    /// The store could not do this kind of work; the text is the reason.
    case failed(SendingWork, String)
}

/// A kind of work that ``SendingLoop`` asks its caller to do.
///
/// At most one piece of work of each kind runs at a time.
enum SendingWork: Sendable, Hashable, CaseIterable {
    case joining, beating, releasing, claiming, settling
}
