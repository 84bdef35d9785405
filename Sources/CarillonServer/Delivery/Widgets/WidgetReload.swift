import CarillonCore

/// The reload of the widgets, or of the control, that one token stands for; decides whether a push is due.
///
/// A push that reloads has no content. So several requests that wait are one push, and an accepted push settles all that came before
/// it was claimed.
package struct WidgetReload: Sendable, Hashable {
    /// The number of the newest request to reload; 0 before the first.
    package var asked = 0
    /// The newest request about which nothing is left to send: APNs has accepted its push, or it was given up.
    package var settled = 0
    /// The time after which the newest request is not sent.
    package var until: Timestamp
    /// The newest request when a sender last claimed a push; 0 before the first claim.
    package private(set) var claimed = 0
    /// The time after which the requests of that claim are not sent.
    package private(set) var claimedUntil: Timestamp
    /// Whether the service may send pushes to the installation.
    package var isReachable = true
    /// Whether APNs has rejected the token.
    package var isDead = false

    package init(until: Timestamp, claimed: Int = 0, claimedUntil: Timestamp? = nil) {
        self.until = until
        self.claimed = claimed
        self.claimedUntil = claimedUntil ?? until
    }

    /// Returns whether a push is due.
    package func isDue(at now: Timestamp) -> Bool { !isDead && isReachable && asked > settled && now < until }

    /// Records a request to reload.
    ///
    /// - Parameters:
    ///   - deadline: the time after which it is not sent. A request that waits already keeps a later one, which a request in flight
    ///     does not pass on.
    ///   - now: the present time.
    package mutating func ask(until deadline: Timestamp, at now: Timestamp) {
        until = isDue(at: now) && asked > claimed ? max(until, deadline) : deadline
        asked += 1
    }

    /// Records that a sender claims a push for all requests so far.
    package mutating func claim() {
        if claimed > settled { until = max(until, claimedUntil) }
        (claimed, claimedUntil) = (asked, until)
    }

    /// Applies the decision about a push.
    ///
    /// - Parameters:
    ///   - verdict: the decision.
    ///   - request: the newest request when the push was claimed.
    ///   - push: the push after the decision; `nil` if another sender has taken over its lease.
    package mutating func settle(_ verdict: SendVerdict, request: Int, _ push: Push?) {
        switch verdict {
        case .accepted, .giveUp, .cancel: settled = max(settled, request)
        case .retireToken, .quarantineToken: isDead = true
        case .retry(mayHaveArrived: true) where push?.state == .unanswered: settled = max(settled, request)
        // The requests of the claim wait again, beside those that have come since.
        case .retry, .stopApp, .putBack: if claimed > settled { until = max(until, claimedUntil) }
        }
    }
}

/// The part of a push to widgets or to a control that its headers need.
package struct ClaimedWidget: Sendable, Hashable {
    /// The number of the token's row in `widget_tokens`.
    var token: Int64
    /// Whether the token is that of a control.
    var isControl: Bool
    /// The time until which APNs keeps the push.
    var until: Timestamp

    /// The type of the push.
    var pushType: PushType { isControl ? .controls : .widgets }
}
