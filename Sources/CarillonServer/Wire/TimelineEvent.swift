import CarillonCore

/// One line of a message's timeline.
package struct TimelineEvent: Sendable, Hashable, Codable {
    /// The id of the message that the event is about.
    package var message: MessageID
    /// The installation's id.
    package var device: String
    /// The kind of event.
    package var event: TimelineEventKind
    /// The time by the service's clock; for a receipt, by the phone's clock, corrected with the service's.
    package var at: Timestamp
    /// The purpose of the push; absent for an event without a push.
    package var purpose: PushPurpose?
    /// The revision: 1 for the first sending of the id, one more for each replacement.
    package var revision: Int
    /// The number of the attempt, 2 or more if an earlier one may have arrived; absent for an event without a push.
    package var attempt: Int?
    /// APNs' reason for a rejection.
    package var reason: String?
    /// The HTTP status of a rejection.
    package var status: Int?
    /// The push's `apns-id`, a lower-case UUID.
    package var apnsID: String?
    /// The reason or further detail in words; never a message's text.
    package var detail: String?
    /// The text that the person typed into the notification; only if the message keeps replies.
    package var reply: String?
    /// True if the service has inferred the event, and no one has reported it.
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
