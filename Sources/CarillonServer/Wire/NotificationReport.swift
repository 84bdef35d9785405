import CarillonCore

/// The answer of `GET /v1/notifications/{id}`.
package struct NotificationReport: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// The state of the message as a whole.
    package var state: MessageState
    /// The way in which it reaches the phones.
    package var mode: DeliveryMode
    /// The app's bundle id.
    package var topic: String
    /// The revision: 1, or more if the id was sent again with other content.
    package var revision: Int
    /// The time at which the service accepted this revision.
    package var acceptedAt: Timestamp
    /// The scheduled time; absent for a message that was to be sent at once.
    package var sendAt: Timestamp?
    /// The time after which it is not shown; absent without an end.
    package var until: Timestamp?
    /// The time of its recall; absent if it was not recalled.
    package var recalledAt: Timestamp?
    /// The counts of its devices.
    package var counts: Counts
    /// The number of devices with each ``RecallOutcome``, for a recall or for the removal of an expired message.
    ///
    /// It is absent if the message was neither recalled nor is removed because its `until` has passed.
    package var recall: [String: Int]?
    /// The number of devices with a reply on the timeline; absent if the message keeps no replies.
    package var replies: Int?
    /// The progress of a range-sent message; absent for a message with a row for each device.
    package var progress: Progress?

    package init(
        id: MessageID, state: MessageState, mode: DeliveryMode, topic: String, revision: Int, acceptedAt: Timestamp,
        until: Timestamp?, recalledAt: Timestamp?, counts: Counts, recall: [String: Int]?, replies: Int? = nil,
        sendAt: Timestamp? = nil, progress: Progress? = nil
    ) {
        self.id = id
        self.state = state
        self.mode = mode
        self.topic = topic
        self.revision = revision
        self.acceptedAt = acceptedAt
        self.sendAt = sendAt
        self.until = until
        self.recalledAt = recalledAt
        self.counts = counts
        self.recall = recall
        self.replies = replies
        self.progress = progress
    }

    enum CodingKeys: String, CodingKey {
        case id, state, mode, topic, revision, until, counts, recall, replies, progress
        case acceptedAt = "accepted_at"
        case recalledAt = "recalled_at"
        case sendAt = "send_at"
    }

    /// The counts of devices; a device is counted at most once in each.
    package struct Counts: Sendable, Hashable, Codable {
        /// The devices that the message is for.
        package var devices = 0
        /// The devices whose push was not handed to APNs yet.
        package var queued = 0
        /// The devices whose push APNs has accepted.
        package var accepted = 0
        /// The devices whose push APNs has refused for good.
        package var rejected = 0
        /// The devices whose push was given up without an answer from APNs.
        package var unanswered = 0
        /// The devices for which it was recalled, read elsewhere or signed out before it was sent.
        package var cancelled = 0
        /// The devices for which it expired before it could be sent.
        package var expired = 0
        /// The devices whose delivery was set aside, because its stored state cannot be read.
        package var setAside = 0
        /// The devices on which the push has reached code of the app.
        package var received = 0
        /// The devices that report the message as shown.
        package var shown = 0
        /// The devices on which the person opened the app from it.
        package var opened = 0
        /// The devices on which the person chose an action of it.
        package var acted = 0
        /// The devices on which the person swiped it away.
        package var dismissed = 0
        /// The devices that report that it is gone and will not come back.
        package var recalled = 0
        /// The devices that may have alerted twice.
        ///
        /// Either the visible push of an assured message was sent although the silent one had been shown, or the device reports
        /// that it has shown the message twice.
        package var secondAlerts = 0
        /// The devices to which it was handed over again, because it was unknown whether the earlier push had arrived.
        package var secondSends = 0

        /// Creates counts that are all 0.
        package init() {}

        enum CodingKeys: String, CodingKey {
            case devices, queued, accepted, rejected, unanswered, cancelled, expired
            case received, shown, opened, acted, dismissed, recalled
            case setAside = "set_aside"
            case secondAlerts = "second_alerts"
            case secondSends = "second_sends"
        }
    }

    /// The progress of a range-sent message.
    package struct Progress: Sendable, Hashable, Codable {
        /// The number of the app's devices for which it is decided whether the message is for them.
        package var decided: Int
        /// The number of all the app's devices when sending began; 0 before.
        package var total: Int
        /// The pushes handed to APNs in a second, on average since sending began; absent before the first.
        package var perSecond: Double?
        /// The time at which it will be done at this rate; absent if it is done or does not go on.
        package var finishesAt: Timestamp?

        package init(decided: Int, total: Int, perSecond: Double? = nil, finishesAt: Timestamp? = nil) {
            self.decided = decided
            self.total = total
            self.perSecond = perSecond
            self.finishesAt = finishesAt
        }

        enum CodingKeys: String, CodingKey {
            case decided, total
            case perSecond = "per_second"
            case finishesAt = "finishes_at"
        }
    }
}
