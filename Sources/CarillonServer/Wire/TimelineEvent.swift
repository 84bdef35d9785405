import CarillonCore

/// One event of a message's timeline.
package struct TimelineEvent: Sendable, Hashable, Codable {
    /// The id of the message that the event is about.
    package var message: MessageID
    /// The id of the installation on which the event happened.
    package var device: String
    /// The kind of event.
    package var event: TimelineEventKind
    /// The time of the event.
    ///
    /// An event of the service has the time of the service's clock. A receipt has the time of the phone's clock, but not earlier
    /// than the message's acceptance and not later than the receipt's arrival.
    package var at: Timestamp
    /// The purpose of the push; absent for an event without a push.
    package var purpose: PushPurpose?
    /// The revision of the message: 1 at first, and one more for each replacement.
    package var revision: Int
    /// The number of the attempt, counted from 1; absent for an event without a push.
    ///
    /// Attempts that cannot have arrived are not counted, so 2 or more means that an earlier attempt may have arrived.
    package var attempt: Int?
    /// The reason that APNs gave for a rejection; absent for other events.
    package var reason: String?
    /// The HTTP status of a rejection; absent for other events.
    package var status: Int?
    /// The push's `apns-id`, a UUID in lower case; absent for an event without a push.
    package var apnsID: String?
    /// The event's reason or another detail, in words or as an identifier; absent if there is none.
    ///
    /// The property never contains a message's text.
    package var detail: String?
    /// The text that the person typed into the notification; absent if the message keeps no replies.
    package var reply: String?
    /// True if the service inferred the event (an expiry) without a report from the device; otherwise absent.
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
