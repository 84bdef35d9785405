import CarillonCore

/// Infers that a message without receipts has expired, for the stores of all databases.
enum ExpiryInference {
    /// Adds an inferred `expired` event if APNs accepted a push or gave no answer, and no receipt came before the
    /// message's `until`.
    ///
    /// The event states only that no receipt came: the phone may have been off, or the app may have no SDK.
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
