import CarillonCore

/// An event that ``SendingLoop`` receives.
enum SendingEvent: Sendable {
    /// A wake-up of the sender, because a delivery may be due.
    case woken
    /// The credentials of these apps have changed.
    case credentialsChanged(Set<AppID>)
    /// A request to end the sender.
    ///
    /// The sender first waits for APNs' answers to its pushes in flight, and stores the outcomes.
    case drain
    case joined(JoinedSender)
    /// The result of a heartbeat: the other senders, as the store lists them.
    ///
    /// `at` is the time on the monotonic clock at which the heartbeat began.
    case beaten([SenderBeat], at: Duration)
    /// The apps that can send nothing, as the store has it from all senders.
    case alarmsKnown(Set<AppID>)
    /// Another sender has taken over the pushes that this sender had leased, because this sender had no heartbeat for
    /// too long.
    case ended
    case released(SenderBeat, SenderRelease)
    /// The deliveries that the store has leased to this sender, as requested.
    ///
    /// If the request was a test whether an app can send again, `probe` is that app; otherwise `probe` is `nil`.
    case claimed(Claim, probe: AppID?)
    /// A request for due deliveries has failed, and it is unknown whether the store has leased some to this sender.
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
