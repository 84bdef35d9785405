/// One device's part of a ``Timeline``.
package struct DeviceTimeline: Sendable, Hashable, Codable {
    /// The installation's id.
    package var device: String
    /// The state of the delivery to this device.
    package var state: DeliveryState
    /// The recall's outcome on this device; absent if the device was not asked to remove the message.
    package var recall: RecallOutcome?
    /// The reason why the push waits: the app's sending is stopped, or it is not yet the message's local time on the device.
    ///
    /// The property is absent otherwise, and unless the state is `queued`.
    package var waiting: String?
    /// The events, in the order in which they happened.
    package var events: [TimelineEvent]

    package init(device: String, state: DeliveryState, recall: RecallOutcome? = nil, events: [TimelineEvent]) {
        self.device = device
        self.state = state
        self.recall = recall
        self.events = events
    }
}
