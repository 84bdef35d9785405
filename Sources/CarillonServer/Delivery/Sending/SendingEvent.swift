import CarillonCore

/// What a sender's loop learns.
enum SendingEvent: Sendable {
    /// Something may be due, or it is time to look.
    case woken
    /// It is to end: what is in flight is waited for, and written down.
    case drain
    case joined(JoinedSender)
    /// The others, seen by a beat that began at that uptime.
    case beaten([SenderBeat], at: Duration)
    /// Its leases were taken over.
    case ended
    case released(SenderBeat, SenderRelease)
    case claimed(Claim, wasProbe: Bool)
    /// Nobody can say whether a claim has leased anything.
    case claimUnknown
    /// The outcomes of pushes are known.
    case answered([SentPush])
    case settled([SentPush])
    /// Outcomes could not be written down, and why.
    case unsettled([SentPush], String)
    /// The store did not do what it was asked.
    case failed(SendingWork, String)
}

/// One of the things that a sender's loop has done by others; each at most once at a time.
enum SendingWork: Sendable, Hashable, CaseIterable {
    case joining, beating, releasing, claiming, settling
}

/// A push whose outcome is known.
struct SentPush: Sendable {
    var app: AppID
    var lane: DeliveryLane
    var settlement: Settlement
    /// How long after its hand-over the outcome was known, by the monotonic clock; `nil` where it has not left.
    var took: Duration? = nil
}
