import CarillonCore

extension TimelineEvent {
    /// - Parameters:
    ///   - note: what happened to a push of the delivery.
    ///   - message: on whose timeline it stands.
    ///   - device: the installation's id.
    ///   - apnsID: of a push that the note tells of and does not name; by default that of one about the message.
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
