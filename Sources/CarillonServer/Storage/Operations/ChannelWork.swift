import CarillonCore
import Foundation

/// A channel that a sender has leased for its next request.
struct ClaimedChannel: Sendable {
    let number: Int64
    let lease: Lease
    let app: AppID
    let request: ActivityChannel.Request
    /// The activity's newest revision, which a broadcast carries.
    let revision: Int
    let channel: ActivityChannel
    /// The request to APNs; `nil` if the channel is to be made, or forgotten.
    let message: ChannelCommand?

    /// Returns the id of a request to APNs under this lease.
    func id(of step: String) -> UUID {
        PushIdentifier.uuid(
            message: "channel/\(number)/\(step)", device: "", purpose: .liveActivity, revision: lease.epoch)
    }
}

/// The channels that a claim has leased, and the time of the next claim.
struct ChannelClaim: Sendable {
    var channels: [ClaimedChannel] = []
    var nextDue: Timestamp?
}

/// Claims channels for a sender, and stores what came of their requests.
struct ChannelWork: SessionPart {
    let session: StoreSession
    private let channels: ActivityChannelsTable
    private let activities: ActivitiesTable

    init(_ session: StoreSession) {
        self.session = session
        channels = ActivityChannelsTable(session)
        activities = ActivitiesTable(session)
    }

    /// Leases channels that are due to a sender.
    func claim(for sender: SenderNumber, busy: [Int64], limit: Int) throws -> ChannelClaim {
        try SendersTable(session).requireLive(sender)
        var claim = ChannelClaim()
        for stored in try channels.due(for: sender, busy: busy, limit: limit) {
            guard let topic = try AppsTable(session).topic(of: stored.activity.app) else { continue }
            guard let request = stored.channel.next(at: now) else {
                try channels.keep(
                    stored, due: stored.channel.nextDue(at: now), answer: stored.answer, keepsLease: false)
                continue
            }
            guard request != .forget else {
                try channels.delete(stored.number)
                continue
            }
            try channels.lease(stored.number, to: sender)
            claim.channels.append(
                ClaimedChannel(
                    number: stored.number, lease: Lease(sender: sender, epoch: stored.epoch + 1),
                    app: AppID(topic: topic, environment: stored.environment), request: request,
                    revision: stored.activity.revision, channel: stored.channel,
                    message: try message(request, stored)))
        }
        claim.nextDue = try channels.nextDue()
        return claim
    }

    private func message(_ request: ActivityChannel.Request, _ stored: StoredChannel) throws -> ChannelCommand? {
        guard let id = stored.channel.id else { return nil }
        let activity = stored.activity
        switch request {
        case .make, .forget: return nil
        case .delete: return .delete(id)
        case .broadcast(let event, let alerts):
            var push = ClaimedActivity(
                id: activity.id, phone: 0, event: event, type: activity.type, attributes: activity.attributes,
                content: activity.content, stamp: activity.stamp, until: activity.isOver)
            if !alerts { push.content["alert"] = nil }
            return .broadcast(
                ChannelBroadcast(
                    channel: id, payload: try push.payload(), priority: push.priority, until: activity.isOver))
        }
    }

    /// Stores the ids of the app's channels before a request to make one, so that a channel without an answer is found.
    ///
    /// - Returns: the channel's id if an earlier request has made it, and whether the sender still holds the channel.
    func beforeMaking(
        _ claimed: ClaimedChannel, _ listed: [String]
    ) throws -> (found: String?, candidates: [String], isHeld: Bool) {
        guard var stored = try channels.held(claimed.lease, claimed.number) else { return (nil, [], false) }
        let others = try channels.ids(of: stored.activity.app, stored.environment)
        let (found, candidates) = stored.channel.made(among: listed, without: others)
        if found == nil { stored.channel.before = listed }
        try channels.keep(stored, due: now, answer: stored.answer, keepsLease: true)
        return (found, candidates, true)
    }

    /// Stores the answer to a request, and ends its lease.
    ///
    /// - Parameters:
    ///   - claimed: the channel, as it was claimed.
    ///   - answer: the answer.
    ///   - jitter: a random number in `0..<1`.
    /// - Throws: the errors of the database.
    func settle(_ claimed: ClaimedChannel, _ answer: ChannelAnswer, jitter: Double) throws {
        guard var stored = try channels.held(claimed.lease, claimed.number) else { return }
        switch (claimed.request, answer) {
        case (.make, .made(let id)):
            stored.channel.id = id
            stored.channel.before = nil
            stored.channel.failures = 0
            // The phones are started with the newest state, and nobody follows the channel yet.
            stored.channel.settled = stored.activity.revision
            try channels.keep(
                stored, due: stored.channel.nextDue(at: now), answer: nil, keepsLease: false)
            try open(stored.activity)
        case (.broadcast(let event, _), .done):
            let due = stored.channel.settled(event, claimed.revision, at: now)
            try channels.keep(stored, due: due, answer: nil, keepsLease: false)
        case (.delete, .done), (.delete, .unknownChannel): try channels.delete(stored.number)
        case (.broadcast, .unknownChannel):
            // Somebody has deleted it. Its phones cannot be reached any more; those that come later get a new one.
            stored.channel.id = nil
            try fail(&stored, "APNs does not know the channel any more", jitter)
        case (_, .failed(let why, let mayHaveArrived)):
            if claimed.request == .make, !mayHaveArrived { stored.channel.before = nil }
            try fail(&stored, why, jitter)
        default: try fail(&stored, "unexpected answer", jitter)
        }
    }

    private func fail(_ stored: inout StoredChannel, _ why: String, _ jitter: Double) throws {
        stored.channel.failures += 1
        let wait = ActivityChannelPace.backoff.wait(failures: stored.channel.failures, jitter: jitter)
        try channels.keep(stored, due: now + wait, answer: why, keepsLease: false)
    }

    /// Begins to start phones, once all channels of the Live Activity are open.
    private func open(_ activity: StoredActivity) throws {
        guard try channels.channels(of: activity).allSatisfy({ $0.channel.id != nil }) else { return }
        try WorkingInSteps(session).begin(
            .follow(StepwiseWork.Following(activity: activity.number, app: activity.app.rawValue)))
    }
}
