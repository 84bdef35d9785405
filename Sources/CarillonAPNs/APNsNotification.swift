import CarillonCore
import Foundation

/// One push to one device.
///
/// [Sending notification
/// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns) describes the
/// headers that carry these properties.
public struct APNsNotification: Sendable, Hashable {
    /// The device that receives the push.
    public var deviceToken: DeviceToken

    /// `apns-topic`: the app's bundle id with the suffix of the push type, as ``topic(bundleID:pushType:)`` makes it.
    public var topic: String

    /// `apns-push-type`: the kind of the push.
    public var pushType: PushType

    /// The body: at most 4096 bytes, or 5120 for `voip`.
    public var payload: APNsPayload

    /// `apns-priority`: the urgency of the delivery.
    ///
    /// The default is ``APNsPriority/immediate``. The default of a background push is ``APNsPriority/considerate``, because
    /// APNs rejects priority 10 for such pushes.
    public var priority: APNsPriority

    /// `apns-expiration`: the time until which APNs tries to deliver the push.
    ///
    /// The default is ``APNsExpiration/unspecified``: APNs decides how long it stores the push.
    public var expiration: APNsExpiration

    /// `apns-collapse-id`: pushes with equal ids replace each other on the device; 1–64 **bytes**.
    ///
    /// On the device, the id becomes the `request.identifier` of the notification. The default is none.
    public var collapseID: String?

    /// `apns-id`: the id of this push, which APNs repeats in its answer.
    ///
    /// Use the old id when sending a push again.
    public var apnsID: UUID

    /// Makes a push to one device.
    ///
    /// ``APNsClient`` checks the push when sending it.
    ///
    /// - Parameters:
    ///   - deviceToken: the device that receives the push.
    ///   - topic: the bundle id with the suffix of the push type.
    ///   - pushType: the kind of the push.
    ///   - payload: the body, within `PushType.payloadByteLimit`.
    ///   - priority: the urgency of the delivery. The default depends on the push type: see ``priority``.
    ///   - expiration: the time until which APNs tries to deliver the push. By default, APNs decides.
    ///   - collapseID: the collapse id, 1–64 bytes. The default is none.
    ///   - apnsID: the id of this push: random for a new push, the earlier one for a push that is sent again.
    public init(
        deviceToken: DeviceToken, topic: String, pushType: PushType, payload: APNsPayload,
        priority: APNsPriority? = nil, expiration: APNsExpiration = .unspecified, collapseID: String? = nil,
        apnsID: UUID
    ) {
        self.deviceToken = deviceToken
        self.topic = topic
        self.pushType = pushType
        self.payload = payload
        self.priority = priority ?? (pushType.rule.allowsImmediatePriority ? .immediate : .considerate)
        self.expiration = expiration
        self.collapseID = collapseID
        self.apnsID = apnsID
    }

    /// Returns the topic of an app's pushes of one type: the bundle id with Apple's suffix for the type.
    ///
    /// - Parameters:
    ///   - bundleID: the bundle id, such as `com.example.chime`; for `mdm` the UID of the certificate.
    ///   - pushType: the push type, which determines the suffix.
    /// - Returns: the topic, such as `com.example.chime.voip`.
    public static func topic(bundleID: String, pushType: PushType) -> String { bundleID + pushType.topicSuffix }
}
