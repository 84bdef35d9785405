import CarillonCore

/// The answer of `DELETE /v1/notifications/{id}` and of `POST /v1/notifications/{id}/recall`.
package struct RecallAnswer: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// The message's state, always ``MessageState/recalled``.
    package var state: MessageState
    /// The number of devices with each ``RecallOutcome``.
    package var recall: [String: Int]
    /// The recall's outcomes on the message's first devices, at most 100.
    ///
    /// The timeline contains all devices.
    package var devices: [DeviceRecall]

    package init(id: MessageID, state: MessageState, recall: [String: Int], devices: [DeviceRecall]) {
        self.id = id
        self.state = state
        self.recall = recall
        self.devices = devices
    }

    /// The recall's outcome on one device.
    package struct DeviceRecall: Sendable, Hashable, Codable {
        /// The installation's id.
        package var device: String
        /// The recall's outcome on the device.
        package var recall: RecallOutcome

        package init(device: String, recall: RecallOutcome) {
            self.device = device
            self.recall = recall
        }
    }
}
