import CarillonCore

/// The answer of `GET /v1/notifications/{id}`.
package struct NotificationReport: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// The state of the message as a whole.
    package var state: MessageState
    /// The way in which the message reaches phones.
    package var mode: DeliveryMode
    /// The app's bundle id.
    package var topic: String
    /// The campaign whose figures count the message; absent if there is none.
    package var campaign: String?
    /// The revision: 1 at first, and one more for each replacement with other content.
    package var revision: Int
    /// The time at which the service accepted this revision.
    package var acceptedAt: Timestamp
    /// The scheduled time; absent for a message sent at once.
    ///
    /// For a message in local time, it is the time at which the local time comes first, of all places.
    package var sendAt: Timestamp?
    /// The local time at which the message is due for each device, and for what devices wait; absent for any other message.
    package var localTime: LocalTimeReport?
    /// The time after which the message is not shown, or `now` for a message that is delivered now or never; absent if it does not
    /// expire.
    package var until: MessageEnd?
    /// The time of the recall; absent if the message was not recalled.
    package var recalledAt: Timestamp?
    /// The counts of the message's devices.
    package var counts: Counts
    /// The reason why the message is for no device; absent if it is for some, and until its recipients are determined.
    package var reason: NobodyReason?
    /// The number of devices with each ``RecallOutcome``.
    ///
    /// The property is present after a recall and while an expired message is removed from devices; otherwise it is absent.
    package var recall: [String: Int]?
    /// The number of devices with a reply on the timeline; absent if the message keeps no replies.
    package var replies: Int?
    /// The progress of a message to very many devices, which is sent range by range (``RangeRules``); absent for any other
    /// message.
    package var progress: Progress?

    package init(
        id: MessageID, state: MessageState, mode: DeliveryMode, topic: String, revision: Int, acceptedAt: Timestamp,
        until: MessageEnd?, recalledAt: Timestamp?, counts: Counts, recall: [String: Int]?, replies: Int? = nil,
        sendAt: Timestamp? = nil, progress: Progress? = nil, reason: NobodyReason? = nil, campaign: String? = nil,
        localTime: LocalTimeReport? = nil
    ) {
        self.id = id
        self.state = state
        self.mode = mode
        self.topic = topic
        self.campaign = campaign
        self.revision = revision
        self.acceptedAt = acceptedAt
        self.sendAt = sendAt
        self.until = until
        self.recalledAt = recalledAt
        self.counts = counts
        self.reason = reason
        self.recall = recall
        self.replies = replies
        self.progress = progress
        self.localTime = localTime
    }

    enum CodingKeys: String, CodingKey {
        case id, state, mode, topic, campaign, revision, until, counts, reason, recall, replies, progress
        case acceptedAt = "accepted_at"
        case recalledAt = "recalled_at"
        case sendAt = "send_at"
        case localTime = "local_time"
    }

    /// The numbers of the message's devices, by the state of the delivery and by the events that the devices report.
    ///
    /// Each number counts a device at most once.
    package struct Counts: Sendable, Hashable, Codable {
        /// The number of devices that the message is for.
        package var devices = 0
        /// The number of devices whose push has not been handed to APNs yet.
        package var queued = 0
        /// The number of devices whose push APNs has accepted.
        package var accepted = 0
        /// The number of devices whose push APNs has rejected for good.
        package var rejected = 0
        /// The number of devices whose push was given up without an answer from APNs.
        package var unanswered = 0
        /// The number of devices whose push was cancelled before it was sent.
        ///
        /// The cause is a recall, a cancellation, a sign-out, or that the person read the message on another device.
        package var cancelled = 0
        /// The number of devices whose push expired before it could be sent, or that report the message as expired.
        package var expired = 0
        /// The number of devices whose delivery was set aside, because its stored state cannot be decoded.
        package var setAside = 0
        /// The number of devices that a message in local time skips: their moment was past, or their time zone is not known.
        package var skipped = 0
        /// The number of devices on which the push has reached code of the app.
        package var received = 0
        /// The number of devices that report the message as shown.
        package var shown = 0
        /// The number of devices on which the person opened the app from the notification.
        package var opened = 0
        /// The number of devices on which the person chose one of the notification's actions.
        package var acted = 0
        /// The number of devices on which the person swiped the notification away.
        package var dismissed = 0
        /// The number of devices that report that the message is not on the screen and will not come back.
        package var recalled = 0
        /// The number of devices that may have alerted twice.
        ///
        /// Either the service sent a second, visible push although the SDK had already shown the message after the silent push.
        /// Or the device reports that it showed the message twice.
        package var secondAlerts = 0
        /// The number of devices to which a push was sent again, because the earlier attempt might not have arrived.
        package var secondSends = 0

        /// Creates counts that are all 0.
        package init() {}

        enum CodingKeys: String, CodingKey {
            case devices, queued, accepted, rejected, unanswered, cancelled, expired, skipped
            case received, shown, opened, acted, dismissed, recalled
            case setAside = "set_aside"
            case secondAlerts = "second_alerts"
            case secondSends = "second_sends"
        }
    }

    /// The progress of a message to very many devices, which is sent range by range (``RangeRules``).
    package struct Progress: Sendable, Hashable, Codable {
        /// The number of the app's devices for which the service has decided so far whether they belong to the audience.
        package var decided: Int
        /// The number of the app's devices when sending began; 0 before.
        package var total: Int
        /// The number of pushes handed to APNs per second, on average since sending began; absent before the first
        /// push.
        package var perSecond: Double?
        /// The expected end of sending; absent if sending has ended or does not continue at present.
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
