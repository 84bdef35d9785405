import CarillonCore
import Foundation

/// One push to everyone who follows a channel: the update or the end of a Live Activity.
///
/// [Sending broadcast push notification requests](https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns)
public struct APNsBroadcast: Sendable, Hashable {
    /// `apns-channel-id`: the channel, as ``APNsClient/createChannel(bundleID:storagePolicy:requestID:deadline:)`` returned
    /// it.
    public var channelID: String

    /// The app's bundle id, without a push type's suffix.
    public var bundleID: String

    /// The body: 1–5120 bytes.
    public var payload: APNsPayload

    /// `apns-priority`; the default is ``APNsPriority/immediate``.
    public var priority: APNsPriority

    /// `apns-expiration`; the default is ``APNsExpiration/oneAttempt``, the only one that a channel takes which stores
    /// nothing.
    public var expiration: APNsExpiration

    /// `apns-request-id`: names this broadcast in APNs' answer.
    public var requestID: UUID

    /// A broadcast; it is checked when it is sent.
    ///
    /// - Parameters:
    ///   - channelID: where it goes.
    ///   - bundleID: the app's, without a suffix.
    ///   - payload: the body, at most 5120 bytes.
    ///   - priority: the default is 10, immediately.
    ///   - expiration: until when a channel that stores keeps it. The default is 0: it is not stored.
    ///   - requestID: names this broadcast; a random one.
    public init(
        channelID: String, bundleID: String, payload: APNsPayload, priority: APNsPriority = .immediate,
        expiration: APNsExpiration = .oneAttempt, requestID: UUID
    ) {
        self.channelID = channelID
        self.bundleID = bundleID
        self.payload = payload
        self.priority = priority
        self.expiration = expiration
        self.requestID = requestID
    }
}
