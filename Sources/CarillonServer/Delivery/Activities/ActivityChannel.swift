import CarillonCore

/// The broadcast channel of a Live Activity in one APNs environment, which decides the next request to APNs.
///
/// One request reaches all phones that follow the channel, however many they are.
package struct ActivityChannel: Sendable, Hashable {
    /// A request to APNs about the channel.
    package enum Request: Sendable, Hashable {
        /// Make the channel.
        case make
        /// Send the newest state, or the end, to all phones that follow the channel; `alerts` unless it was sent before.
        case broadcast(LiveActivityEvent, alerts: Bool)
        /// Delete the channel.
        case delete
        /// None: no channel was made, and the Live Activity needs none any more.
        case forget
    }

    /// The channel's id; `nil` before APNs has made the channel.
    package var id: String?
    /// The ids of the app's channels before a request to make this one, whose outcome is unknown; `nil` if there is none.
    package var before: [String]?
    /// The newest revision that APNs has accepted as a broadcast, and that is not due again.
    package var settled = 0
    /// The greatest revision that APNs has ever accepted as a broadcast.
    package var sent = 0
    /// Whether APNs has accepted the broadcast that ends the Live Activity.
    package var hasEnded = false
    /// The time of the last start of a phone that follows the channel; `nil` for none.
    package var started: Timestamp?
    /// The number of failed requests since the last success.
    package var failures = 0
    /// The newest revision of the Live Activity.
    package var revision: Int
    /// The time at which the backend has ended the Live Activity; `nil` while it runs.
    package var ended: Timestamp?
    /// The time at which iOS has removed the Live Activity from all phones.
    package var isOver: Timestamp

    /// Decides the next request.
    ///
    /// - Parameter now: the present time.
    /// - Returns: the request; `nil` if nothing is to do now.
    package func next(at now: Timestamp) -> Request? {
        let isOver = now >= isOver
        guard id != nil else {
            guard ended != nil || isOver else { return .make }
            // A channel that may have been made is looked for first, so that it can be deleted.
            return before == nil ? .forget : .make
        }
        if isOver || ended.map({ now >= $0 + DeliveryLimits.channelAfterEnd }) ?? false { return .delete }
        if ended != nil { return hasEnded ? nil : .broadcast(.end, alerts: sent < revision) }
        return revision > settled ? .broadcast(.update, alerts: sent < revision) : nil
    }

    /// Returns the time of the next request, after the last one has succeeded.
    package func nextDue(at now: Timestamp) -> Timestamp {
        if next(at: now) != nil { return now }
        return min(isOver, ended.map { $0 + DeliveryLimits.channelAfterEnd } ?? isOver)
    }

    /// Returns the channel that an earlier request has made without an answer.
    ///
    /// - Parameters:
    ///   - listed: the app's channels at APNs now.
    ///   - others: the ids of the other channels of the service.
    /// - Returns: the channel's id; `nil` if there is none, or more than one that it could be.
    package func made(among listed: [String], without others: Set<String>) -> (found: String?, candidates: [String]) {
        guard let before else { return (nil, []) }
        let candidates = listed.filter { !before.contains($0) && !others.contains($0) }
        return (candidates.count == 1 ? candidates[0] : nil, candidates)
    }

    /// Records that APNs has accepted a broadcast.
    ///
    /// A phone that was started a moment ago may not have followed the channel yet, so the state is sent once more, after
    /// ``DeliveryLimits/channelSettling``.
    ///
    /// - Parameters:
    ///   - event: the kind of the broadcast.
    ///   - revision: the revision that it carried.
    ///   - now: the present time.
    /// - Returns: the time of the next request.
    package mutating func settled(_ event: LiveActivityEvent, _ revision: Int, at now: Timestamp) -> Timestamp {
        let isEarly = started.map { $0 > now - DeliveryLimits.channelSettling * 2 } ?? false
        sent = max(sent, revision)
        failures = 0
        if event == .end { hasEnded = !isEarly } else { settled = isEarly ? revision - 1 : revision }
        guard isEarly, revision == self.revision else { return nextDue(at: now) }
        return now + DeliveryLimits.channelSettling
    }

    /// The word for the channel's state in reports.
    package var standing: LiveActivityReport.ChannelState {
        guard id != nil else { return .making }
        return ended == nil ? .open : .closing
    }
}
