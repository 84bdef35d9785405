/// The answer of `GET /v1/notifications/{id}/timeline`: what is known, device by device.
public struct Timeline: Sendable, Hashable, Codable {
    public var id: MessageID
    public var devices: [DeviceTimeline]
    /// Pass it as `?after=` for the next page; absent on the last one.
    public var next: String?

    public init(id: MessageID, devices: [DeviceTimeline], next: String? = nil) {
        self.id = id
        self.devices = devices
        self.next = next
    }
}

/// One device's part of a ``Timeline``.
public struct DeviceTimeline: Sendable, Hashable, Codable {
    /// The installation's id.
    public var device: String
    public var state: DeliveryState
    /// How a recall stands on this device; absent when the message was not taken back from it.
    public var recall: RecallOutcome?
    /// In the order in which they happened.
    public var events: [TimelineEvent]

    public init(device: String, state: DeliveryState, recall: RecallOutcome? = nil, events: [TimelineEvent]) {
        self.device = device
        self.state = state
        self.recall = recall
        self.events = events
    }
}

/// How far the service has got with one device.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable, Codable {
    case queued
    /// Accepted by APNs; what the phone made of it is in the receipts.
    case accepted
    case rejected
    /// Given up after several attempts whose answers never came.
    case unanswered
    /// Its time had passed before it could be sent.
    case expired
    /// Taken back, read elsewhere or signed out before it was sent.
    case cancelled
}

/// What became of taking a message back from one device. Never just "sent".
public enum RecallOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// The phone says that it is not on its screen and will not come back.
    case confirmed
    /// Something else stands in its place.
    case replaced
    /// It will be gone at the latest when the app is next launched.
    case pending = "pending until launch"
    /// It had never been sent to this device.
    case neverSent = "never sent"
}
