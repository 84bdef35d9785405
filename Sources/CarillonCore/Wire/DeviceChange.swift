/// The body of `PATCH /v1/devices/{id}`: what has changed.
///
/// What is absent stays as it was.
package struct DeviceChange: Sendable, Hashable {
    /// Where pushes go from now on.
    package var token: DeviceToken?
    /// Where APNs knows the token.
    package var environment: APNsEnvironment?
    /// Binds the installation to the user it names.
    package var signInToken: String?
    /// The members of ``DeviceFacts`` that have changed, by their names in JSON, and among the other members there;
    /// `tags` replaces all tags.
    package var facts: [String: JSONValue]

    package init(
        token: DeviceToken? = nil, environment: APNsEnvironment? = nil, signInToken: String? = nil,
        facts: [String: JSONValue] = [:]
    ) {
        self.token = token
        self.environment = environment
        self.signInToken = signInToken
        self.facts = facts
    }
}

extension DeviceChange: Codable {
    private enum CodingKeys: String, CodingKey {
        case token, environment
        case signInToken = "sign_in_token"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decodeIfPresent(DeviceToken.self, forKey: .token)
        environment = try container.decodeIfPresent(APNsEnvironment.self, forKey: .environment)
        signInToken = try container.decodeIfPresent(String.self, forKey: .signInToken)
        let members = try decoder.container(keyedBy: DeviceFacts.CodingKeys.self)
        facts = [:]
        for key in members.allKeys {
            facts[key.stringValue] = try members.decodeIfPresent(JSONValue.self, forKey: key)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(token, forKey: .token)
        try container.encodeIfPresent(environment, forKey: .environment)
        try container.encodeIfPresent(signInToken, forKey: .signInToken)
    }
}
