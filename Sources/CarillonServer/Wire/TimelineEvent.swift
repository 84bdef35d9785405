import CarillonCore

/// One line of a message's timeline.
package struct TimelineEvent: Sendable, Hashable, Codable {
    /// The message it is about.
    package var message: MessageID
    /// The installation's id.
    package var device: String
    /// What happened.
    package var event: TimelineEventKind
    /// When, by the service's clock; of a receipt by the phone's, corrected with the service's.
    package var at: Timestamp
    /// Which push it was; absent for what concerns none.
    package var purpose: PushPurpose?
    /// 1 for the first sending of the id, one more for each replacement.
    package var revision: Int
    /// 2 or more when an earlier attempt may have arrived; absent for what concerns no push.
    package var attempt: Int?
    /// APNs' reason for a rejection.
    package var reason: String?
    /// The HTTP status of a rejection.
    package var status: Int?
    /// The push's `apns-id`, a lower-case UUID.
    package var apnsID: String?
    /// Why, or which, in words; never a message's text.
    package var detail: String?
    /// What the person typed into the notification; only where the message asked for it.
    package var reply: String?
    /// True when no one reported it and the service concluded it from what it knows.
    package var inferred: Bool?

    package init(
        message: MessageID, device: String, event: TimelineEventKind, at: Timestamp, purpose: PushPurpose? = nil,
        revision: Int, attempt: Int? = nil, reason: String? = nil, status: Int? = nil, apnsID: String? = nil,
        detail: String? = nil, reply: String? = nil, inferred: Bool? = nil
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
        self.reply = reply
        self.inferred = inferred
    }

    enum CodingKeys: String, CodingKey {
        case message, device, event, at, purpose, revision, attempt, reason, status, detail, reply, inferred
        case apnsID = "apns_id"
    }
}
