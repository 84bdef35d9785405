import CarillonCore
import Foundation

/// A push as APNs delivers it to a phone.
public struct IncomingPush: Sendable, Hashable, Codable {
    /// The bundle ID of the receiving app: `apns-topic`.
    public var topic: String
    /// The push type (`apns-push-type`): the phone shows `alert` pushes, and wakes apps for `background` pushes.
    public var pushType: PushType
    /// The JSON payload as sent, byte for byte.
    public var payload: Data
    /// The collapse ID (`apns-collapse-id`), which becomes the notification's identifier; `nil` if there is none.
    public var collapseID: String?
    /// The ID of the push (`apns-id`).
    public var apnsID: UUID
    /// The priority (`apns-priority`): 10, 5 or 1.
    public var priority: Int
    /// The token to which the push was sent; `nil` for a broadcast, or if the source of the push does not tell.
    public var token: Data?
    /// The broadcast channel of the push; `nil` for a push to a token.
    public var channelID: String?

    /// Makes a push for ``Phone/receive(_:)``.
    ///
    /// - Parameters:
    ///   - topic: the bundle ID of the receiving app.
    ///   - pushType: the push type (`apns-push-type`).
    ///   - payload: the JSON payload as sent.
    ///   - collapseID: the collapse ID, which becomes the notification's identifier; the default is none.
    ///   - apnsID: the ID of the push, which becomes the identifier of a notification without a collapse ID.
    ///   - priority: 10, 5 or 1; the default is 10.
    ///   - token: the token to which the push was sent, which decides the Live Activity; the default is none.
    ///   - channelID: the broadcast channel of the push; the default is none.
    public init(
        topic: String, pushType: PushType, payload: Data, collapseID: String? = nil, apnsID: UUID, priority: Int = 10,
        token: Data? = nil, channelID: String? = nil
    ) {
        self.topic = topic
        self.pushType = pushType
        self.payload = payload
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.priority = priority
        self.token = token
        self.channelID = channelID
    }
}
