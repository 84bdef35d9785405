import CarillonCore

/// The answer of `POST /v1/notifications`.
package struct SendAnswer: Sendable, Hashable, Codable {
    /// The message's id, chosen by the caller or by the service.
    package var id: MessageID
    /// The message's state: ``MessageState/scheduled`` if the request's `send_at` is in the future, and otherwise
    /// ``MessageState/accepted``.
    ///
    /// A repeated request is answered by this rule too.
    package var state: MessageState
    /// The number of devices that the message is for; 0 if nobody in the audience has a device.
    ///
    /// The property is absent if the number becomes known only while the message is sent. The report then contains the number
    /// later.
    package var devices: Int?

    package init(id: MessageID, state: MessageState, devices: Int?) {
        self.id = id
        self.state = state
        self.devices = devices
    }
}
