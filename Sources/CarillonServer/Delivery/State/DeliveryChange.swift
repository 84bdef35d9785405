import CarillonCore

/// What is to be done beside keeping the changed delivery.
package enum DeliveryChange: Sendable, Hashable {
    /// Something for the timeline.
    case note(DeliveryNote)
    /// A push must tell the phone to remove the message.
    case sendRemoval

    /// Whether bits have a place for it: that it was sent and accepted follows from the state, and that a second push is not
    /// needed from what the device has reported.
    var isSaidByBits: Bool {
        guard case .note(let note) = self else { return true }
        return note.event == .sent || note.event == .accepted || note.purpose == .fallback || note.purpose == .notice
    }
}

/// An event of the timeline, without the names of message and device.
package struct DeliveryNote: Sendable, Hashable {
    package var event: TimelineEventKind
    package var at: Timestamp
    package var purpose: PushPurpose
    package var revision: Int
    package var attempt: Int?
    package var apnsID: String?
    /// APNs' reason, and its status.
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
    /// An attempt whose sender is gone: nobody knows what came of it, and it counts.
    ///
    /// - Returns: `nil` when nothing is in flight.
    static func abandoned(_ push: Push, _ purpose: PushPurpose, at now: Timestamp) -> DeliveryNote? {
        guard let attempt = push.inFlight else { return nil }
        var note = DeliveryNote(
            .unanswered, at: now, purpose: purpose, revision: attempt.revision,
            detail: "its sender is gone; it may have been sent")
        note.attempt = attempt.number
        return note
    }
}
