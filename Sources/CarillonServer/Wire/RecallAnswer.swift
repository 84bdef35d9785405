import CarillonCore

/// The answer of `DELETE /v1/notifications/{id}` and of `POST /v1/notifications/{id}/recall`.
package struct RecallAnswer: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// ``MessageState/recalled``.
    package var state: MessageState
    /// How many devices stand where, by ``RecallOutcome``.
    package var recall: [String: Int]
    /// The first devices, at most 100; the timeline has all of them.
    package var devices: [DeviceRecall]

    package init(id: MessageID, state: MessageState, recall: [String: Int], devices: [DeviceRecall]) {
        self.id = id
        self.state = state
        self.recall = recall
        self.devices = devices
    }

    /// How the recall stands on one device.
    package struct DeviceRecall: Sendable, Hashable, Codable {
        /// The installation's id.
        package var device: String
        /// How it stands there.
        package var recall: RecallOutcome

        package init(device: String, recall: RecallOutcome) {
            self.device = device
            self.recall = recall
        }
    }
}
