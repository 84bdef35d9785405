import CarillonCore

/// The answer of `GET /v1/notifications/{id}`.
package struct NotificationReport: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// Where it stands as a whole.
    package var state: MessageState
    /// How it reaches the phones.
    package var mode: DeliveryMode
    /// The app's bundle id.
    package var topic: String
    /// 1, or more when the id was sent again with other content.
    package var revision: Int
    /// When the service accepted this revision.
    package var acceptedAt: Timestamp
    /// When it is, or was, to be sent; absent for one that was to be sent at once.
    package var sendAt: Timestamp?
    /// Not to be shown after this time; absent when it has no end.
    package var until: Timestamp?
    /// When it was taken back; absent when it was not.
    package var recalledAt: Timestamp?
    /// Its devices, by what is known of them.
    package var counts: Counts
    /// How many devices stand where with a recall, or with the removal of what has expired, by ``RecallOutcome``.
    ///
    /// Absent when the message was neither recalled nor is removed because its `until` has passed.
    package var recall: [String: Int]?
    /// How many devices have a reply on the timeline; absent when the message keeps none.
    package var replies: Int?
    /// How far it has come; absent where it has a row for each device.
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

    /// Devices, by what is known of them; a device counts once in each line.
    package struct Counts: Sendable, Hashable, Codable {
        /// All that the message is for.
        package var devices = 0
        /// Nothing has been handed to APNs yet.
        package var queued = 0
        /// Accepted by APNs.
        package var accepted = 0
        /// Refused by APNs for good.
        package var rejected = 0
        /// Given up without an answer of APNs.
        package var unanswered = 0
        /// Taken back, read elsewhere or signed out before it was sent.
        package var cancelled = 0
        /// Its end came before it could be sent.
        package var expired = 0
        /// Set aside, because what is kept of it cannot be read.
        package var setAside = 0
        /// The push has reached code of the app.
        package var received = 0
        /// The phone says that it was shown.
        package var shown = 0
        /// The person opened the app from it.
        package var opened = 0
        /// The person chose an action of it.
        package var acted = 0
        /// The person swiped it away.
        package var dismissed = 0
        /// The phone says that it is gone and will not come back.
        package var recalled = 0
        /// Devices to which the visible push of an assured message was sent although the silent one had been shown, or
        /// which say that they have shown a message twice.
        package var secondAlerts = 0
        /// It was handed to APNs again, because nobody knew whether the push before had arrived.
        package var secondSends = 0

        /// All of them 0.
        package init() {}

        enum CodingKeys: String, CodingKey {
            case devices, queued, accepted, rejected, unanswered, cancelled, expired
            case received, shown, opened, acted, dismissed, recalled
            case setAside = "set_aside"
            case secondAlerts = "second_alerts"
            case secondSends = "second_sends"
        }
    }

    /// How far a message that is sent by ranges has come.
    package struct Progress: Sendable, Hashable, Codable {
        /// Devices of the app of which it is decided whether it is for them.
        package var decided: Int
        /// All of them, when sending began; 0 before.
        package var total: Int
        /// Pushes handed to APNs in a second, on average since sending began; absent while there is none.
        package var perSecond: Double?
        /// When it will be done if it goes on like that; absent when it is done, or does not go on.
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
