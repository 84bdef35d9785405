import CarillonCore

/// The answer of `GET /v1/notifications/{id}/timeline`: the known events of each device.
package struct Timeline: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    /// One page of the message's devices.
    package var devices: [DeviceTimeline]
    /// The reason why the message is for no device; absent if it is for some, and until its recipients are determined.
    package var reason: NobodyReason?
    /// The value of `?after=` for the next page; absent on the last page.
    package var next: String?

    package init(id: MessageID, devices: [DeviceTimeline], next: String? = nil, reason: NobodyReason? = nil) {
        self.id = id
        self.devices = devices
        self.reason = reason
        self.next = next
    }
}
