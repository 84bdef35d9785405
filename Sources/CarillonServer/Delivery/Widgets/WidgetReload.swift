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
    /// Whether the service may send pushes to the installation.
    package var isReachable = true
    /// Whether APNs has rejected the token.
    package var isDead = false

    package init(until: Timestamp) { self.until = until }

    /// Returns whether a push is due.
    package func isDue(at now: Timestamp) -> Bool { !isDead && isReachable && asked > settled && now < until }

    /// Records a request to reload.
    ///
    /// - Parameters:
    ///   - deadline: the time after which it is not sent. A request that waits already keeps a later one.
    ///   - now: the present time.
    package mutating func ask(until deadline: Timestamp, at now: Timestamp) {
        until = isDue(at: now) ? max(until, deadline) : deadline
        asked += 1
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
        case .retry(mayHaveArrived: true): if push?.state == .unanswered { settled = max(settled, request) }
        case .retry, .stopApp, .putBack: break
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
