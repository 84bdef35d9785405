import CarillonCore

extension TimelineEvent {
    /// Makes an event from a note about a push.
    ///
    /// - Parameters:
    ///   - note: an event of one push, without the ids of message and device.
    ///   - message: the message whose timeline records the event.
    ///   - device: the installation's id.
    ///   - apnsID: the `apns-id` to record if the note concerns an attempt but has no id. With `nil`, the default, the id is
    ///     computed from the message, the device, and the note's purpose and revision.
    init(_ note: DeliveryNote, message: MessageID, device: String, apnsID: String? = nil) {
        func push() -> String {
            PushIdentifier.uuid(
                message: message.rawValue, device: device, purpose: note.purpose, revision: note.revision
            ).lowercased
        }
        self.init(
            message: message, device: device, event: note.event, at: note.at, purpose: note.purpose,
            revision: note.revision, attempt: note.attempt, reason: note.reason, status: note.status,
            apnsID: note.apnsID ?? (note.attempt == nil ? nil : apnsID ?? push()), detail: note.detail)
    }
}
