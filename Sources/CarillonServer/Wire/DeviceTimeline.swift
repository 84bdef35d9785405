/// One device's part of a ``Timeline``.
package struct DeviceTimeline: Sendable, Hashable, Codable {
    /// The installation's id.
    package var device: String
    /// How far the service has got with this device.
    package var state: DeliveryState
    /// How a recall stands on this device; absent when the message was not taken back from it.
    package var recall: RecallOutcome?
    /// Why nothing of the app is sent at the moment; absent unless the state is `queued` and there is an alarm.
    package var waiting: String?
    /// In the order in which they happened.
    package var events: [TimelineEvent]

    package init(device: String, state: DeliveryState, recall: RecallOutcome? = nil, events: [TimelineEvent]) {
        self.device = device
        self.state = state
        self.recall = recall
        self.events = events
    }
}
