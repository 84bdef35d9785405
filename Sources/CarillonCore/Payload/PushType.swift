/// The `apns-push-type` of a request: what kind of thing the push is.
/// [Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)
public enum PushType: String, Sendable, Hashable, CaseIterable, Codable {
    case alert
    case background
    case complication
    case controls
    case fileprovider
    case liveactivity
    case location
    case mdm
    case pushtotalk
    case voip
    case widgets

    /// What the topic is beyond the app's bundle id. `mdm` has a topic of its own kind: the certificate's UID.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The most bytes that APNs takes for a payload of this type.
    public var payloadByteLimit: Int { self == .voip ? 5120 : 4096 }
}
