import CarillonCore

/// A change to make in addition to storing the changed delivery.
package enum DeliveryChange: Sendable, Hashable {
    /// Add a note to the timeline.
    case note(DeliveryNote)
    /// Queue a push that makes the phone remove the message.
    case sendRemoval

    /// Whether a chunk's bits express this change.
    ///
    /// Bits show that a push was sent and accepted. They also show a second push that is not needed, by the device's reports.
    var isSaidByBits: Bool {
        guard case .note(let note) = self else { return true }
        return note.event == .sent || note.event == .accepted || note.purpose == .fallback || note.purpose == .notice
    }
}

/// An event of the timeline, without the ids of message and device.
package struct DeliveryNote: Sendable, Hashable {
    package var event: TimelineEventKind
    package var at: Timestamp
    package var purpose: PushPurpose
    package var revision: Int
    package var attempt: Int?
    package var apnsID: String?
    /// The reason that APNs gave, such as `BadDeviceToken`.
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
    /// Returns the note of an attempt whose sender is gone.
    ///
    /// The outcome is unknown, and the attempt counts.
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
