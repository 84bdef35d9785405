import CarillonCore
import NIOHPACK

/// The values of all headers that APNs uses, collected from one request in one pass.
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
    /// The value of `apns-request-id`, the header that requests about channels have instead of `apns-id`.
    var requestID: String?

    /// The first header read by APNs that occurred more than once; `nil` if there is none.
    var duplicate: String?

    init() {}

    init(_ headers: HPACKHeaders) {
        for (name, value, _) in headers {
            // Compares lengths first, so that most names need one comparison instead of eleven.
            switch (name.utf8.count, name) {
            case (5, ":path"): path = value
            case (7, ":method"): method = value
            case (7, "apns-id"): set(\.apnsID, value, name)
            case (10, "apns-topic"): set(\.topic, value, name)
            case (13, "authorization"): set(\.authorization, value, name)
            case (13, "apns-priority"): set(\.priority, value, name)
            case (14, "apns-push-type"): set(\.pushType, value, name)
            case (15, "apns-expiration"): set(\.expiration, value, name)
            case (15, "apns-channel-id"): set(\.channelID, value, name)
            case (15, "apns-request-id"): set(\.requestID, value, name)
            case (16, "apns-collapse-id"): set(\.collapseID, value, name)
            default: break
            }
        }
    }

    /// The device token in the path; `nil` if it is not well-formed.
    var deviceToken: DeviceToken? {
        path.hasPrefix(RequestTarget.pathPrefix)
            ? DeviceToken(hex: String(Substring(path.utf8.dropFirst(RequestTarget.pathPrefix.utf8.count)))) : nil
    }

    /// Whether the path is about broadcasts or channels.
    var isAboutChannels: Bool { path.hasPrefix("/1/apps/") || path.hasPrefix("/4/broadcasts/") }

    var pathWithoutToken: String { path.hasPrefix(RequestTarget.pathPrefix) ? RequestTarget.pathPrefix : path }

    private mutating func set(_ field: WritableKeyPath<Self, String?>, _ value: String, _ name: String) {
        if self[keyPath: field] != nil { duplicate = duplicate ?? name }
        self[keyPath: field] = value
    }
}
