import CarillonCore

/// A change that the store must make after an event of a delivery, besides storing the delivery itself.
package enum DeliveryChange: Sendable, Hashable {
    /// Adds a note to the timeline.
    case note(DeliveryNote)
    /// Queues a push that makes the phone remove the message.
    case sendRemoval

    /// Whether the bits of a ``RangeChunk`` already express this change, so that the caller need not store it.
    ///
    /// A ``RangeChunk`` keeps the deliveries of consecutive devices as bitmaps, with a bit for each device. The bits express that
    /// a push was sent or accepted, and that the device must remove the message. They also show whether a fallback or notice
    /// (``SecondPush``) is needed.
    var isSaidByBits: Bool {
        guard case .note(let note) = self else { return true }
        return note.event == .sent || note.event == .accepted || note.purpose == .fallback || note.purpose == .notice
    }
}

/// An event of a message's timeline, without the ids of message and device.
package struct DeliveryNote: Sendable, Hashable {
    package var event: TimelineEventKind
    package var at: Timestamp
    package var purpose: PushPurpose
    package var revision: Int
    package var attempt: Int?
    package var apnsID: String?
    /// The reason that APNs gave for a rejection, such as `BadDeviceToken`; `nil` for any other event.
    package var reason: String?
    package var status: Int?
    package var detail: String?

    package init(
        _ event: TimelineEventKind, at: Timestamp, purpose: PushPurpose, revision: Int, detail: String? = nil
    ) {
        self.event = event
        self.at = at
        self.purpose = purpose
        self.revision = revision
        self.detail = detail
    }
}

extension DeliveryNote {
    /// Makes the timeline's note on an attempt whose sender is gone.
    ///
    /// The outcome of the attempt is unknown, so the attempt counts as one that may have arrived.
    ///
    /// - Returns: the note; `nil` if no attempt is in flight.
    static func abandoned(_ push: Push, _ purpose: PushPurpose, at now: Timestamp) -> DeliveryNote? {
        guard let attempt = push.inFlight else { return nil }
        var note = DeliveryNote(
            .unanswered, at: now, purpose: purpose, revision: attempt.revision,
            detail: "its sender is gone; it may have been sent")
        note.attempt = attempt.number
        return note
    }
}
