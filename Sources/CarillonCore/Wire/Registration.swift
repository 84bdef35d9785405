/// The body of `POST /v1/devices`, with which an installation registers at the service.
///
/// The installation makes its id and its secret once and keeps both; the service keeps only a hash of the secret. Registering a
/// known id again requires its secret, and replaces the earlier registration.
package struct Registration: Sendable, Hashable {
    /// The installation's id: 1–64 bytes like a ``MessageID``; a new one after every reinstall.
    package var installation: String
    /// The installation's secret: 32 or more random bytes as hexadecimal.
    package var secret: String
    /// The app's bundle id.
    package var topic: String
    /// The APNs environment of the token.
    package var environment: APNsEnvironment
    /// The device token to which pushes are sent.
    package var token: DeviceToken
    /// The facts about the device.
    ///
    /// In JSON they are not nested: they are members of the registration's object.
    package var facts: DeviceFacts
    /// A short-lived token, signed by the customer's backend, that binds this installation to a user.
    ///
    /// If the token is absent, the installation stays bound, or unbound, as it was.
    package var signInToken: String?
    /// The installation's tokens for Live Activities; absent means none.
    package var liveActivities: [LiveActivityToken]?
    /// The installation's tokens for widgets and controls; absent means none.
    package var widgets: [WidgetToken]?

    package init(
        installation: String, secret: String, topic: String, environment: APNsEnvironment, token: DeviceToken,
        facts: DeviceFacts, signInToken: String? = nil, liveActivities: [LiveActivityToken]? = nil,
        widgets: [WidgetToken]? = nil
    ) {
        self.installation = installation
        self.secret = secret
        self.topic = topic
        self.environment = environment
        self.token = token
        self.facts = facts
        self.signInToken = signInToken
        self.liveActivities = liveActivities
        self.widgets = widgets
    }
}

extension Registration: Codable {
    private enum CodingKeys: String, CodingKey {
        case installation, secret, topic, environment, token
        case signInToken = "sign_in_token"
        case liveActivities = "live_activities"
        case widgets
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        installation = try container.decode(String.self, forKey: .installation)
        secret = try container.decode(String.self, forKey: .secret)
        topic = try container.decode(String.self, forKey: .topic)
        environment = try container.decode(APNsEnvironment.self, forKey: .environment)
        token = try container.decode(DeviceToken.self, forKey: .token)
        facts = try DeviceFacts(from: decoder)
        signInToken = try container.decodeIfPresent(String.self, forKey: .signInToken)
        liveActivities = try container.decodeIfPresent([LiveActivityToken].self, forKey: .liveActivities)
        widgets = try container.decodeIfPresent([WidgetToken].self, forKey: .widgets)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(installation, forKey: .installation)
        try container.encode(secret, forKey: .secret)
        try container.encode(topic, forKey: .topic)
        try container.encode(environment, forKey: .environment)
        try container.encode(token, forKey: .token)
        try facts.encode(to: encoder)
        try container.encodeIfPresent(signInToken, forKey: .signInToken)
        try container.encodeIfPresent(liveActivities, forKey: .liveActivities)
        try container.encodeIfPresent(widgets, forKey: .widgets)
    }
}

/// The answer to a registration, and to a change of a registration.
package struct RegistrationAnswer: Sendable, Hashable, Codable {
    /// The installation's id at the service.
    package var device: String
    /// The user to whom the installation is bound, if any.
    package var user: String?
    /// Whether the installation must still prove that it holds the device token; absent means `false`.
    ///
    /// It is `true` while another installation holds the token. The service has then pushed a nonce to the token, and this
    /// installation gets no pushes until it returns the nonce.
    package var awaitsToken: Bool?
    /// The removals, the badge and the service's time, which bring this installation up to date.
    package var sync: SyncAnswer

    private enum CodingKeys: String, CodingKey {
        case device, user, sync
        case awaitsToken = "awaits_token"
    }

    package init(device: String, user: String?, awaitsToken: Bool? = nil, sync: SyncAnswer) {
        self.device = device
        self.user = user
        self.awaitsToken = awaitsToken
        self.sync = sync
    }
}
