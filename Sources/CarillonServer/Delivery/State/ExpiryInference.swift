import CarillonCore

/// Infers from the timeline of a message without receipts that the message has expired.
enum ExpiryInference {
    /// Adds an `expired` event to the events of a message on one device, if the message has ended without a receipt from the device.
    ///
    /// The event is added only if APNs accepted a push or gave no answer. It states only that no receipt came: the phone may have
    /// been off, or the app may have no SDK.
    ///
    /// A message that is delivered now or never ends ``DeliveryLimits/nowOrNeverLifetime`` after its last push, because APNs does not
    /// keep it.
    ///
    /// - Parameters:
    ///   - events: the events on the device, in causal order.
    ///   - state: the state of the delivery to the device.
    ///   - end: the end of the message's validity; `nil` for none.
    ///   - now: the present time.
    /// - Returns: the events, with the inferred one.
    static func applied(
        to events: [TimelineEvent], state: DeliveryState, end: MessageEnd?, now: Timestamp
    ) -> [TimelineEvent] {
        guard let (moment, detail) = outcome(of: events, end), moment <= now,
            state == .accepted || state == .unanswered, let last = events.last,
            !events.contains(where: { $0.event.isReceipt })
        else { return events }
        let inferred = TimelineEvent(
            message: last.message, device: last.device, event: .expired, at: moment, revision: last.revision,
            detail: detail, inferred: true)
        return (events + [inferred]).inCausalOrder()
    }

    /// Returns the time at which a message without receipts has ended, and the detail of the event; `nil` if it has no end.
    private static func outcome(of events: [TimelineEvent], _ end: MessageEnd?) -> (Timestamp, detail: String)? {
        switch end {
        case nil: return nil
        case .at(let until): return (until, "its validity passed before any receipt came from this device")
        case .now:
            let sent = events.last { $0.event == .accepted || $0.event == .unanswered }
            guard let sent else { return nil }
            return (
                sent.at + DeliveryLimits.nowOrNeverLifetime,
                "APNs has tried once to deliver it, and no receipt has come from this device"
            )
        }
    }
}
