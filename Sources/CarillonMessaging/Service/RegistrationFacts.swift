import CarillonCore

/// What the service must know about this installation: everything of a ``Registration`` but the secrets.
package struct RegistrationFacts: Sendable, Hashable, Codable {
    /// Where pushes go, as iOS has given it.
    package var token: DeviceToken
    /// The app's bundle id.
    package var topic: String
    /// Where APNs knows the token.
    package var environment: APNsEnvironment
    /// What is said of the device.
    package var device: DeviceFacts

    package init(token: DeviceToken, topic: String, environment: APNsEnvironment, device: DeviceFacts) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.device = device
    }

    /// Whether the step from `known` can be told as a change.
    ///
    /// An app has one topic for life, and what is absent from a change stays as it was.
    func canChange(_ known: RegistrationFacts) -> Bool {
        topic == known.topic && device.changes(since: known.device) != nil
    }
}
