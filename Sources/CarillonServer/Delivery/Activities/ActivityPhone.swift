import CarillonCore

/// The state of one Live Activity on one phone, which decides the phone's next push.
///
/// The phone gets at most one push at a time. A sender that claims the push sends what is newest then, so an update never follows a
/// newer one.
package struct ActivityPhone: Sendable, Hashable {
    /// The newest revision of the Live Activity.
    package var revision: Int
    /// The newest revision about which nothing is left to send: APNs has accepted it, or it was given up; 0 before the first.
    package var settled = 0
    /// Whether the phone may have the Live Activity, because a push that starts it may have arrived.
    package var reach = Reach.none
    /// Whether the Live Activity must end on this phone: it has ended, or its user has left the phone.
    package var isEnding = false
    /// Whether APNs has accepted the push that ends the Live Activity on this phone.
    package var hasEnded = false
    /// Whether the phone has reported the end of the Live Activity, or APNs has rejected its token.
    package var isGone = false
    /// Whether the last push was rejected for good.
    package var wasRejected = false
    /// Whether APNs has accepted the broadcast of the newest state, or of the end.
    package var isBroadcastSettled = false
    /// Whether the service may send pushes to the installation.
    package var isReachable = true
    /// The broadcast channel of the Live Activity, in the phone's environment.
    package var channel = Channel.none
    /// Whether the phone may follow the channel, because APNs has accepted a push that starts it there.
    package var isFollowing = false
    /// The token with which a push starts Live Activities of this type; `nil` if the phone has registered none.
    package var startToken: DeviceToken?
    /// The token with which pushes update this Live Activity; `nil` if the phone has registered none.
    package var updateToken: DeviceToken? { didSet { hasUpdateToken = updateToken != nil } }
    /// Whether the phone has registered a token with which pushes update this Live Activity.
    package var hasUpdateToken = false
    /// The time after which the Live Activity is not started any more.
    package var startsUntil: Timestamp
    /// The time after which nothing is sent, because iOS has removed the Live Activity.
    package var isOver: Timestamp

    /// The state of a Live Activity's broadcast channel.
    package enum Channel: Sendable, Hashable {
        /// The Live Activity has no channel, because it is for few phones.
        case none
        /// APNs has not made the channel yet.
        case awaited
        /// The channel with this id is open.
        case open(String)
    }

    /// Decides the phone's next push.
    ///
    /// - Parameter now: the present time.
    /// - Returns: the kind of the push and its token; `nil` if the phone is up to date, or must first register a token.
    package func next(at now: Timestamp) -> (event: LiveActivityEvent, token: DeviceToken)? {
        guard !hasEnded, !isGone, isReachable, now < isOver else { return nil }
        if isEnding { return updateToken.map { (.end, $0) } }
        guard revision > settled else { return nil }
        if let updateToken {
            // A phone that started it with a token moves to the channel: the SDK ends the older of the two.
            if case .open = channel, !isFollowing, now < startsUntil, let startToken { return (.start, startToken) }
            return (.update, updateToken)
        }
        // The channel's broadcasts update it.
        guard !isFollowing, channel != .awaited else { return nil }
        // A start that may have arrived is repeated: the SDK ends the older one of two.
        guard reach < .accepted, now < startsUntil else { return nil }
        return startToken.map { (.start, $0) }
    }

    /// Returns the state that reports show.
    ///
    /// - Parameters:
    ///   - isQueued: whether a push waits for the phone or is in flight.
    ///   - now: the present time.
    /// - Returns: the state.
    package func standing(isQueued: Bool, at now: Timestamp) -> ActivityPhoneState {
        if isGone { return .gone }
        if hasEnded { return .ended }
        if isQueued { return .queued }
        if now >= isOver { return .ended }
        if isEnding {
            if isFollowing, !hasUpdateToken { return isBroadcastSettled ? .ended : .ending }
            return !hasUpdateToken && reach == .none ? .ended : .ending
        }
        if hasUpdateToken { return wasRejected ? .rejected : .current }
        if isFollowing { return isBroadcastSettled ? .current : .queued }
        if reach > .none { return .started }
        if wasRejected, settled == revision { return .rejected }
        return now >= startsUntil ? .expired : .waiting
    }

    /// Applies the decision about a push of the Live Activity to this phone.
    ///
    /// - Parameters:
    ///   - verdict: the decision.
    ///   - event: the kind of the push.
    ///   - revision: the revision that the push carried.
    ///   - follows: whether the push starts it on the channel.
    ///   - push: the push after the decision; `nil` if another sender has taken over its lease.
    package mutating func settle(
        _ verdict: SendVerdict, _ event: LiveActivityEvent, revision: Int, follows: Bool = false, _ push: Push?
    ) {
        if follows, verdict == .accepted || verdict == .retry(mayHaveArrived: true) && push?.state == .unanswered {
            isFollowing = true
        }
        if event == .start {
            reach = verdict == .accepted ? .accepted : push?.reach ?? reach
        }
        switch verdict {
        case .accepted: end(revision, event, isRejected: false)
        case .giveUp, .cancel: end(revision, event, isRejected: true)
        case .retireToken, .quarantineToken:
            if event != .start { isGone = true }
        case .retry(mayHaveArrived: true):
            guard push?.state == .unanswered else { return }
            if event == .start { reach = .accepted }
            end(revision, event, isRejected: false)
        case .retry, .stopApp, .putBack: break
        }
    }

    private mutating func end(_ revision: Int, _ event: LiveActivityEvent, isRejected: Bool) {
        settled = max(settled, revision)
        wasRejected = isRejected
        if event == .end { hasEnded = true }
    }
}
