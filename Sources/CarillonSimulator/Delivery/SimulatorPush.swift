import CarillonCore
import Foundation

/// A push on its way from APNs to a device.
public struct SimulatorPush: Sendable, Hashable {
    /// The device's id.
    public var device: String
    /// The token that it was sent to; `nil` for a broadcast, which is sent to a channel.
    public var token: DeviceToken?
    /// The broadcast channel it came over, if any.
    public var channelID: String?
    /// `apns-topic` as it was sent, a push type's suffix included.
    public var topic: String
    /// The app it is for: the topic without the suffix.
    public var bundleID: String
    /// `apns-push-type`, or alert when it was absent.
    public var pushType: PushType
    /// The JSON as it was sent, byte for byte.
    public var payload: Data
    /// `apns-collapse-id`; `nil` when it was absent or empty.
    public var collapseID: String?
    /// `apns-id`: the id from the sender, or the one that the simulator made.
    public var apnsID: UUID
    /// `apns-priority`: 10, 5 or 1; when it was absent 10, for a background push 5.
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
