import CarillonCore

/// Who asks for a device token.
public struct TokenRequest: Sendable, Hashable {
    /// The phone's id: unique among the phones of one push service.
    public var phone: String
    /// The app's bundle id.
    public var topic: String
    public var environment: APNsEnvironment

    public init(phone: String, topic: String, environment: APNsEnvironment) {
        self.phone = phone
        self.topic = topic
        self.environment = environment
    }
}
