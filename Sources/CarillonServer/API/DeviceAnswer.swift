import CarillonCore

/// The answer about an installation, to the installation itself or to its app's backend.
///
/// The answer contains neither the token nor the secret.
struct DeviceAnswer: Encodable {
    var installation: String
    var topic: String
    var environment: APNsEnvironment
    var state: String
    var user: String?
    /// The time at which APNs first accepted a push to this installation's token; `nil` before.
    var confirmedAt: Timestamp?
    var tokenRegisteredAt: Timestamp
    var seenAt: Timestamp
    var facts: DeviceFacts

    /// Makes the answer about an installation.
    ///
    /// - Parameters:
    ///   - device: the installation.
    ///   - isForItself: whether the installation itself asks. If so, the answer names the user only if a sign-in token confirmed
    ///     the user. The default is false.
    init(_ device: DeviceRecord, isForItself: Bool = false) {
        installation = device.id
        topic = device.app.topic
        environment = device.environment
        state = device.state.rawValue
        user = isForItself ? device.signedInUser : device.user
        confirmedAt = device.confirmed
        tokenRegisteredAt = device.tokenRegistered
        seenAt = device.seen
        facts = device.facts
    }

    private enum CodingKeys: String, CodingKey {
        case installation, topic, environment, state, user
        case confirmedAt = "confirmed_at"
        case tokenRegisteredAt = "token_registered_at"
        case seenAt = "seen_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(installation, forKey: .installation)
        try container.encode(topic, forKey: .topic)
        try container.encode(environment, forKey: .environment)
        try container.encode(state, forKey: .state)
        try container.encodeIfPresent(user, forKey: .user)
        try container.encodeIfPresent(confirmedAt, forKey: .confirmedAt)
        try container.encode(tokenRegisteredAt, forKey: .tokenRegisteredAt)
        try container.encode(seenAt, forKey: .seenAt)
        try facts.encode(to: encoder)
    }
}
