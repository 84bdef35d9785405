import CarillonCore
import Foundation

/// A push on its way from APNs to a device.
public struct SimulatorPush: Sendable, Hashable {
    /// The device's id.
    public var device: String
    /// The token that the push was sent to; `nil` for a broadcast, which is sent to a channel.
    public var token: DeviceToken?
    /// The broadcast channel of the push; `nil` for a push to a token.
    public var channelID: String?
    /// The value of `apns-topic` as sent, including the push type's suffix.
    public var topic: String
    /// The bundle id of the app: the topic without the suffix.
    public var bundleID: String
    /// The value of `apns-push-type`, or the type that the simulator inferred from the request if the header was absent.
    public var pushType: PushType
    /// The JSON as it was sent, byte for byte.
    public var payload: Data
    /// The value of `apns-collapse-id`; `nil` if the header was absent or empty.
    public var collapseID: String?
    /// The value of `apns-id`: the sender's id, or an id that the simulator made.
    public var apnsID: UUID
    /// The value of `apns-priority`: 10, 5 or 1.
    ///
    /// If the header was absent, the priority is 5 for a background push, and otherwise 10.
    public var priority: Int
    /// The value of `apns-expiration`.
    public var expiration: ExpirationHeader

    init(
        device: String, token: DeviceToken?, channelID: String? = nil, topic: String, bundleID: String,
        pushType: PushType, payload: Data, collapseID: String? = nil, apnsID: UUID, priority: Int = 10,
        expiration: ExpirationHeader = .unspecified
    ) {
        self.device = device
        self.token = token
        self.channelID = channelID
        self.topic = topic
        self.bundleID = bundleID
        self.pushType = pushType
        self.payload = payload
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.priority = priority
        self.expiration = expiration
    }
}
