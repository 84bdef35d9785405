import CarillonCore

/// The answer of `POST /v1/notifications`.
package struct SendAnswer: Sendable, Hashable, Codable {
    /// The message's id: the caller's, or the service's own.
    package var id: MessageID
    /// ``MessageState/accepted``, for a repeated request too.
    package var state: MessageState
    /// How many devices the message is for; 0 when nobody in the audience has a device.
    ///
    /// Absent where that is known only when it is sent: the report tells it then.
    package var devices: Int?

    package init(id: MessageID, state: MessageState, devices: Int?) {
        self.id = id
        self.state = state
        self.devices = devices
    }
}
