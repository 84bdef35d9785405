import CarillonCore
import NIOHPACK

/// The headers of one request, sorted out in one pass.
struct RequestHead: Sendable {
    var method = ""
    var path = ""
    var authorization: String?
    var apnsID: String?
    var topic: String?
    var pushType: String?
    var priority: String?
    var expiration: String?
    var collapseID: String?
    var channelID: String?
    /// What requests about channels have in the place of `apns-id`.
    var requestID: String?

    /// The first header among those that APNs reads that came more than once.
    var duplicate: String?

    init() {}

    init(_ headers: HPACKHeaders) {
        for (name, value, _) in headers {
            switch name {
            case ":method": method = value
            case ":path": path = value
            case "authorization": set(\.authorization, value, name)
            case "apns-id": set(\.apnsID, value, name)
            case "apns-topic": set(\.topic, value, name)
            case "apns-push-type": set(\.pushType, value, name)
            case "apns-priority": set(\.priority, value, name)
            case "apns-expiration": set(\.expiration, value, name)
            case "apns-collapse-id": set(\.collapseID, value, name)
            case "apns-channel-id": set(\.channelID, value, name)
            case "apns-request-id": set(\.requestID, value, name)
            default: break
            }
        }
    }

    /// The device token that the path names, if it is one.
    var deviceToken: DeviceToken? {
        path.hasPrefix(RequestTarget.pathPrefix)
            ? DeviceToken(hex: String(path.dropFirst(RequestTarget.pathPrefix.count))) : nil
    }

    /// Whether the path is one of broadcasts or their channels.
    var isAboutChannels: Bool { path.hasPrefix("/1/apps/") || path.hasPrefix("/4/broadcasts/") }

    var pathWithoutToken: String { path.hasPrefix(RequestTarget.pathPrefix) ? RequestTarget.pathPrefix : path }

    private mutating func set(_ field: WritableKeyPath<Self, String?>, _ value: String, _ name: String) {
        if self[keyPath: field] != nil { duplicate = duplicate ?? name }
        self[keyPath: field] = value
    }
}
