import CarillonCore

/// What the service must know about this installation: everything of a ``Registration`` but the secrets.
package struct RegistrationFacts: Sendable, Hashable {
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

extension RegistrationFacts: Codable {
    private enum CodingKeys: String, CodingKey { case token, topic, environment }

    /// What SDKs before ``DeviceFacts`` stored under other names than the service's.
    private enum FormerCodingKeys: String, CodingKey { case timeZone, appVersion }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decode(DeviceToken.self, forKey: .token)
        topic = try container.decode(String.self, forKey: .topic)
        environment = try container.decode(APNsEnvironment.self, forKey: .environment)
        device = try DeviceFacts(from: decoder)
        let former = try decoder.container(keyedBy: FormerCodingKeys.self)
        device.timeZone = try device.timeZone ?? former.decodeIfPresent(String.self, forKey: .timeZone)
        device.appVersion = try device.appVersion ?? former.decodeIfPresent(String.self, forKey: .appVersion)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(token, forKey: .token)
        try container.encode(topic, forKey: .topic)
        try container.encode(environment, forKey: .environment)
        try device.encode(to: encoder)
    }
}
