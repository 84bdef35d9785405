/// The `apns-push-type` of a request: the kind of the push
/// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
public enum PushType: String, Sendable, Hashable, CaseIterable, Codable {
    /// An accessory's answer to a notification that iOS has forwarded to it.
    ///
    /// See [Responding to forwarded
    /// notifications](https://developer.apple.com/documentation/accessorynotifications/responding-to-forwarded-notifications).
    case accessory
    /// A notification that the person notices: an alert, a sound or a badge.
    case alert
    /// Content that the app handles in the background, without anything that the person notices; never at priority 10.
    case background
    /// New data for a watchOS complication.
    case complication
    /// A reload of the app's controls in Control Center.
    case controls
    /// A change for a File Provider extension.
    case fileprovider
    /// The start, an update or the end of a Live Activity.
    case liveactivity
    /// A request for the person's location; APNs accepts it with a signing key only.
    case location
    /// A request to contact the device-management server; its payload has `mdm` instead of `aps`.
    case mdm
    /// An event of a push-to-talk channel.
    case pushtotalk
    /// An incoming call; up to 5120 bytes.
    case voip
    /// A reload of the app's widgets.
    case widgets

    /// The suffix of the topic after the app's bundle id; empty for an ordinary topic.
    ///
    /// The topic of `mdm` is not a bundle id but the certificate's UID.
    public var topicSuffix: String { rule.topicSuffix }

    /// The largest payload that APNs accepts for this type, in bytes: 5120 for `voip`, otherwise 4096.
    public var payloadByteLimit: Int { rule.payloadByteLimit }
}
