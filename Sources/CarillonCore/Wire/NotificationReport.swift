/// Where a message stands as a whole.
public enum MessageState: String, Sendable, Hashable, CaseIterable, Codable {
    /// On the service's disk; nothing has been handed to APNs yet.
    case accepted
    /// Some devices are done, others are not.
    case sending
    /// Nothing is left to send. What arrived is in the counts.
    case sent
    case recalled
    /// Its time has passed.
    case expired
}

/// The answer of `POST /v1/notifications`.
public struct SendAnswer: Sendable, Hashable, Codable {
    public var id: MessageID
    public var state: MessageState
    /// How many devices the message is for; 0 when nobody in the audience has a device.
    public var devices: Int

    public init(id: MessageID, state: MessageState, devices: Int) {
        self.id = id
        self.state = state
        self.devices = devices
    }
}

/// The answer of `GET /v1/notifications/{id}`.
public struct NotificationReport: Sendable, Hashable, Codable {
    public var id: MessageID
    public var state: MessageState
    public var mode: DeliveryMode
    public var topic: String
    /// 1, or more when the id was sent again with other content.
    public var revision: Int
    public var acceptedAt: Timestamp
    public var until: Timestamp?
    public var recalledAt: Timestamp?
    public var counts: Counts
    /// How many devices stand where with a recall; absent when the message was not recalled.
    public var recall: [String: Int]?

    public init(
        id: MessageID, state: MessageState, mode: DeliveryMode, topic: String, revision: Int, acceptedAt: Timestamp,
        until: Timestamp?, recalledAt: Timestamp?, counts: Counts, recall: [String: Int]?
    ) {
        self.id = id
        self.state = state
        self.mode = mode
        self.topic = topic
        self.revision = revision
        self.acceptedAt = acceptedAt
        self.until = until
        self.recalledAt = recalledAt
        self.counts = counts
        self.recall = recall
    }

    enum CodingKeys: String, CodingKey {
        case id, state, mode, topic, revision, until, counts, recall
        case acceptedAt = "accepted_at"
        case recalledAt = "recalled_at"
    }

    /// Devices, by what is known of them. A device counts once in each line.
    public struct Counts: Sendable, Hashable, Codable {
        public var devices = 0
        public var queued = 0
        public var accepted = 0
        public var rejected = 0
        public var unanswered = 0
        public var cancelled = 0
        public var expired = 0
        public var received = 0
        public var shown = 0
        public var opened = 0
        public var acted = 0
        public var dismissed = 0
        public var recalled = 0
        /// Devices to which the visible push of an assured message was sent although the silent one had been shown, or
        /// which say that they have shown a message twice.
        public var secondAlerts = 0

        public init() {}

        enum CodingKeys: String, CodingKey {
            case devices, queued, accepted, rejected, unanswered, cancelled, expired
            case received, shown, opened, acted, dismissed, recalled
            case secondAlerts = "second_alerts"
        }
    }
}

/// The answer of `DELETE /v1/notifications/{id}`.
public struct RecallAnswer: Sendable, Hashable, Codable {
    public var id: MessageID
    public var state: MessageState
    /// How many devices stand where, by ``RecallOutcome``.
    public var recall: [String: Int]
    /// The first devices, at most 100; the timeline has all of them.
    public var devices: [DeviceRecall]

    public init(id: MessageID, state: MessageState, recall: [String: Int], devices: [DeviceRecall]) {
        self.id = id
        self.state = state
        self.recall = recall
        self.devices = devices
    }

    public struct DeviceRecall: Sendable, Hashable, Codable {
        public var device: String
        public var recall: RecallOutcome

        public init(device: String, recall: RecallOutcome) {
            self.device = device
            self.recall = recall
        }
    }
}
