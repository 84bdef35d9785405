import Foundation

/// What Carillon itself puts into a push, under the payload's key `carillon`, beside the sender's own keys.
///
/// Version 1. Short names because they count against 4096 bytes; unknown members are ignored, so that a newer service
/// can talk to an older app.
public struct CarillonKey: Sendable, Hashable {
    public static let payloadKey = "carillon"
    public static let currentVersion = 1

    /// `v`: the version of this structure.
    public var version: Int
    /// `id`: the message this push is about; absent in a push that only carries removals.
    public var id: MessageID?
    /// `now`: the service's clock when the push was composed, ms. The phone's own clock may be wrong.
    public var now: Timestamp?
    /// `until`: not to be seen after this moment, ms.
    public var until: Timestamp?
    /// `silent`: the `aps` of the notification that the SDK is to make itself (delivery modes silent and assured).
    public var silent: JSONValue?
    /// `rm`: the messages to remove: all of this device's unconfirmed removals, newest first, bounded.
    public var removals: [MessageID]
    /// `sync`: more removals wait than fit; ask the service.
    public var needsSync: Bool
    /// `badge`: the user's unread count, for pushes that may not carry `aps.badge`.
    public var badge: Int?
    /// `attempt`: 2 or more when this may have been delivered before; absent means 1.
    public var attempt: Int

    public init(
        version: Int = currentVersion, id: MessageID? = nil, now: Timestamp? = nil, until: Timestamp? = nil,
        silent: JSONValue? = nil, removals: [MessageID] = [], needsSync: Bool = false, badge: Int? = nil,
        attempt: Int = 1
    ) {
        self.version = version
        self.id = id
        self.now = now
        self.until = until
        self.silent = silent
        self.removals = removals
        self.needsSync = needsSync
        self.badge = badge
        self.attempt = attempt
    }

    /// Reads the value of the key; `nil` when it is not an object with a version of at least 1. A member that cannot
    /// be understood is skipped: an app must not fail because a service is newer.
    public init?(json: JSONValue) {
        guard let version = json["v"]?.intValue, version >= 1 else { return nil }
        self.init(
            version: version,
            id: json["id"]?.stringValue.flatMap { try? MessageID($0) },
            now: json["now"]?.timestamp,
            until: json["until"]?.timestamp,
            silent: json["silent"],
            removals: (json["rm"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { try? MessageID($0) } },
            needsSync: json["sync"]?.boolValue ?? false,
            badge: json["badge"]?.intValue,
            attempt: json["attempt"]?.intValue ?? 1)
    }

    /// Reads the key out of a payload's bytes; `nil` when it is not there.
    public init?(inPayload payload: Data) {
        guard let json = try? JSONValue(parsing: payload)[Self.payloadKey] else { return nil }
        self.init(json: json)
    }

    public var json: JSONValue {
        var members: [String: JSONValue] = ["v": .int(Int64(version))]
        members["id"] = id.map { .string($0.rawValue) }
        members["now"] = now.map { .int($0.millisecondsSince1970) }
        members["until"] = until.map { .int($0.millisecondsSince1970) }
        members["silent"] = silent
        if !removals.isEmpty { members["rm"] = .array(removals.map { .string($0.rawValue) }) }
        if needsSync { members["sync"] = true }
        members["badge"] = badge.map { .int(Int64($0)) }
        if attempt > 1 { members["attempt"] = .int(Int64(attempt)) }
        return .object(members)
    }
}

extension JSONValue {
    /// A moment in milliseconds, as it stands in a push.
    public var timestamp: Timestamp? {
        intValue.map { Timestamp(millisecondsSince1970: Int64($0)) }
    }
}
