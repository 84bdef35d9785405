/// Why a push was sent. Part of its `apns-id`, so that no two pushes ever share one.
public enum PushPurpose: String, Sendable, Hashable, CaseIterable, Codable {
    /// The message itself: an alert push, or a background push from which the SDK makes the notification.
    case show
    /// The visible push that stands in for a silent one that nobody answered (delivery mode assured).
    case fallback
    /// A background push that only carries removals.
    case removal
    /// An alert push that only changes the number on the icon.
    case badge
}

/// What can be known about one message on one device.
public enum TimelineEventKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Accepted by the service, on its disk.
    case queued
    /// Handed to the connection to APNs.
    case sent
    case accepted
    case rejected
    /// Sent, but APNs' answer never came: it may or may not have been accepted.
    case unanswered
    /// Will not be sent (any more); `detail` says why.
    case cancelled
    case received
    case shown
    case opened
    case acted
    case dismissed
    case expired
    case recalled

    public init(_ receipt: ReceiptEvent) {
        self =
            switch receipt {
            case .received: .received
            case .shown: .shown
            case .opened: .opened
            case .acted: .acted
            case .dismissed: .dismissed
            case .expired: .expired
            case .recalled: .recalled
            }
    }

    /// Whether only the phone can say it.
    public var isReceipt: Bool { ReceiptEvent(rawValue: rawValue) != nil }
}

/// One line of a message's timeline.
public struct TimelineEvent: Sendable, Hashable, Codable {
    public var message: MessageID
    /// The installation's id.
    public var device: String
    public var event: TimelineEventKind
    public var at: Timestamp
    /// Which push, for what concerns a push.
    public var purpose: PushPurpose?
    /// 1 for the first sending of the id, one more for each replacement.
    public var revision: Int
    /// 2 or more when an earlier attempt may have arrived.
    public var attempt: Int?
    /// APNs' reason for a rejection.
    public var reason: String?
    /// The HTTP status of a rejection.
    public var status: Int?
    /// The push's `apns-id`, a lower-case UUID.
    public var apnsID: String?
    /// Why, or which, in words. Never a message's text.
    public var detail: String?
    /// True when no one reported it and the service concluded it from what it knows.
    public var inferred: Bool?

    public init(
        message: MessageID, device: String, event: TimelineEventKind, at: Timestamp, purpose: PushPurpose? = nil,
        revision: Int, attempt: Int? = nil, reason: String? = nil, status: Int? = nil, apnsID: String? = nil,
        detail: String? = nil, inferred: Bool? = nil
    ) {
        self.message = message
        self.device = device
        self.event = event
        self.at = at
        self.purpose = purpose
        self.revision = revision
        self.attempt = attempt
        self.reason = reason
        self.status = status
        self.apnsID = apnsID
        self.detail = detail
        self.inferred = inferred
    }

    enum CodingKeys: String, CodingKey {
        case message, device, event, at, purpose, revision, attempt, reason, status, detail, inferred
        case apnsID = "apns_id"
    }
}
