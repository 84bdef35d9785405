import CarillonCore
import Foundation

/// One push to one device.
///
/// [Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)
/// lists the headers that these properties become.
public struct APNsNotification: Sendable, Hashable {
    /// Whom it goes to.
    public var deviceToken: DeviceToken

    /// `apns-topic`: the app's bundle id with the suffix of the push type. ``topic(bundleID:pushType:)`` makes it.
    public var topic: String

    /// `apns-push-type`.
    public var pushType: PushType

    /// The body: at most 4096 bytes, 5120 for `voip`.
    public var payload: APNsPayload

    /// `apns-priority`. The default is ``APNsPriority/immediate``, for a background push ``APNsPriority/considerate``,
    /// because APNs refuses 10 there.
    public var priority: APNsPriority

    /// `apns-expiration`. The default is ``APNsExpiration/unspecified``: APNs decides how long it keeps the push.
    public var expiration: APNsExpiration

    /// `apns-collapse-id`: pushes with the same one replace each other on the device; 1–64 **bytes**. On the device it
    /// is the notification's `request.identifier`. The default is none.
    public var collapseID: String?

    /// `apns-id`: names this push in APNs' answer. Keep it when the same push is sent again.
    public var apnsID: UUID

    public init(
        deviceToken: DeviceToken, topic: String, pushType: PushType, payload: APNsPayload,
        priority: APNsPriority? = nil, expiration: APNsExpiration = .unspecified, collapseID: String? = nil,
        apnsID: UUID
    ) {
        self.deviceToken = deviceToken
        self.topic = topic
        self.pushType = pushType
        self.payload = payload
        self.priority = priority ?? (pushType == .background ? .considerate : .immediate)
        self.expiration = expiration
        self.collapseID = collapseID
        self.apnsID = apnsID
    }

    /// The topic of an app's pushes of one type: the bundle id and Apple's suffix for the type.
    ///
    /// - Parameter bundleID: for instance `com.example.chime`. For `mdm` the topic is the UID of the certificate.
    public static func topic(bundleID: String, pushType: PushType) -> String { bundleID + pushType.topicSuffix }
}

/// `apns-priority`: how eagerly a push is delivered.
public enum APNsPriority: Int, Sendable, Hashable, CaseIterable, Codable {
    /// 10: at once.
    case immediate = 10
    /// 5: when it suits the device's power state.
    case considerate = 5
    /// 1: never wakes the device.
    case conserving = 1
}

/// `apns-expiration`: until when APNs tries to deliver. Absent, zero and a moment are three different wishes.
public enum APNsExpiration: Sendable, Hashable {
    /// The header is absent: APNs stores the push for as long as it sees fit (at most 30 days).
    case unspecified
    /// `0`: one attempt; a device that cannot be reached now never gets it.
    case oneAttempt
    /// Stored until this moment, to the second. A moment before 1970-01-01T00:00:01Z is refused, for it would read as
    /// `oneAttempt` or as no number.
    case at(Timestamp)
}
