import CarillonCore

/// Infers from the timeline of a message without receipts that the message has expired.
enum ExpiryInference {
    /// Adds an `expired` event to the events of a message on one device, if `until` has passed without a receipt from the device.
    ///
    /// The event is added only if APNs accepted a push or gave no answer. It states only that no receipt came: the phone may have
    /// been off, or the app may have no SDK.
    static func applied(
        to events: [TimelineEvent], state: DeliveryState, until: Timestamp?, now: Timestamp
    ) -> [TimelineEvent] {
        guard let until, until <= now, state == .accepted || state == .unanswered, let last = events.last,
            !events.contains(where: { $0.event.isReceipt })
        else { return events }
        let inferred = TimelineEvent(
            message: last.message, device: last.device, event: .expired, at: until, revision: last.revision,
            detail: "its validity passed before any receipt came from this device", inferred: true)
        return (events + [inferred]).inCausalOrder()
    }
}
