import CarillonCore
import Foundation

/// One push to all devices that follow a channel: the update or the end of a Live Activity.
///
/// See [Sending broadcast push notification
/// requests](https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns)
public struct APNsBroadcast: Sendable, Hashable {
    /// `apns-channel-id`: the channel's id, from ``APNsClient/createChannel(bundleID:storagePolicy:requestID:deadline:)``.
    public var channelID: String

    /// The app's bundle id, without a push type's suffix.
    public var bundleID: String

    /// The body: 1–5120 bytes.
    public var payload: APNsPayload

    /// `apns-priority`; the default is ``APNsPriority/immediate``.
    public var priority: APNsPriority

    /// `apns-expiration`: the time until which APNs stores the broadcast, if the channel stores broadcasts.
    ///
    /// The default is ``APNsExpiration/oneAttempt``. A channel without storage allows no other value.
    public var expiration: APNsExpiration

    /// `apns-request-id`: the id of this broadcast, which APNs repeats in its answer.
    public var requestID: UUID

    /// Makes a broadcast.
    ///
    /// ``APNsClient`` checks the broadcast when sending it.
    ///
    /// - Parameters:
    ///   - channelID: the id of the channel.
    ///   - bundleID: the app's bundle id, without a suffix.
    ///   - payload: the body, at most 5120 bytes.
    ///   - priority: the urgency of the delivery. The default is ``APNsPriority/immediate``.
    ///   - expiration: the time until which APNs stores the broadcast, if the channel stores broadcasts. By default, the
    ///     broadcast is not stored.
    ///   - requestID: the id of this broadcast.
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
