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
    /// `apns-topic` as it was sent, with the push type's suffix.
    public var topic: String
    /// The bundle id of the app: the topic without the suffix.
    public var bundleID: String
    /// `apns-push-type`, or the inferred type if the header was absent.
    public var pushType: PushType
    /// The JSON as it was sent, byte for byte.
    public var payload: Data
    /// `apns-collapse-id`; `nil` if it was absent or empty.
    public var collapseID: String?
    /// `apns-id`: the sender's id, or one that the simulator made.
    public var apnsID: UUID
    /// `apns-priority`: 10, 5 or 1.
    ///
    /// If the header was absent, it is 5 for a background push, and otherwise 10.
    public var priority: Int
    /// `apns-expiration`.
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
