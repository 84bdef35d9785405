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
    /// The reason why the message is for no device; absent if it is for some, and while it is scheduled.
    package var reason: NobodyReason?

    package init(id: MessageID, state: MessageState, devices: Int?, reason: NobodyReason? = nil) {
        self.id = id
        self.state = state
        self.devices = devices
        self.reason = reason
    }
}

/// A reason why a message is for no device.
package enum NobodyReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The users are signed in on no device: nobody has signed in under these ids, or they have signed out everywhere.
    case notSignedIn = "not-signed-in"
    /// None of the devices is registered with this app.
    case noSuchDevice = "no-such-device"
    /// The devices have no token to which pushes can be sent: APNs has refused it, or another device has taken it over.
    case tokenGone = "token-gone"
    /// No device whose token APNs has accepted meets the condition.
    case nobodyMatches = "nobody-matches"
}
