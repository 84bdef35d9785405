import CarillonCore

/// The answer of `POST /v1/notifications`.
package struct SendAnswer: Sendable, Hashable, Codable {
    /// The message's id: the caller's, or the service's own.
    package var id: MessageID
    /// The message's state, ``MessageState/accepted`` also for a repeated request.
    package var state: MessageState
    /// The number of devices that the message is for; 0 if nobody in the audience has a device.
    ///
    /// It is absent if it becomes known only while the message is sent; the report has it then.
    package var devices: Int?

    package init(id: MessageID, state: MessageState, devices: Int?) {
        self.id = id
        self.state = state
        self.devices = devices
    }
}
