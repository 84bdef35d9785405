import CarillonCore

/// A phone's request for the device token of one app.
public struct TokenRequest: Sendable, Hashable {
    /// The phone's ID: unique among the phones of one push service.
    public var phone: String
    /// The app's bundle ID; with the suffix `.voip` for a token of its PushKit registry.
    public var topic: String
    /// Whether the token is for APNs' sandbox or for production.
    public var environment: APNsEnvironment

    package init(phone: String, topic: String, environment: APNsEnvironment) {
        self.phone = phone
        self.topic = topic
        self.environment = environment
    }
}
