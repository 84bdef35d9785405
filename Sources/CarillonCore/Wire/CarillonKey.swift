import Foundation

/// What Carillon itself puts into a push, under the payload's key `carillon`, beside the sender's own keys.
///
/// Version 1. Short names because they count against 4096 bytes; unknown members are ignored, so that a newer service
/// can talk to an older app.
package struct CarillonKey: Sendable, Hashable {
    /// The key in the payload.
    package static let payloadKey = "carillon"
    /// The version that this package writes.
    package static let currentVersion = 1

    /// `v`: the version of this structure.
    package var version: Int
    /// `id`: the message this push is about; absent in a push that only carries removals.
    package var id: MessageID?
    /// `now`: the service's clock when the push was composed, ms, since the phone's own clock may be wrong.
    package var now: Timestamp?
    /// `until`: not to be seen after this moment, ms.
    package var until: Timestamp?
    /// `silent`: the `aps` of the notification that the SDK is to make itself (delivery modes silent and assured).
    package var silent: JSONValue?
    /// `rm`: the messages to remove: all of this device's unconfirmed removals, newest first, bounded.
    package var removals: [Removal]
    /// `sync`: more removals wait than fit; ask the service.
    package var needsSync: Bool
    /// `badge`: the user's unread count, for pushes that may not carry `aps.badge`.
    package var badge: Int?
    /// `attempt`: 2 or more when this may have been delivered before; absent means 1.
    package var attempt: Int
    /// `rev`: 1 (and absent) for the first sending of the id, one more for each replacement: what tells a replacement,
    /// which is to be seen, from a second delivery, which is not.
    package var revision: Int
    /// `d`: in whose words the message is sent, and so by which identifier a phone shows it; absent: Carillon's own.
    package var dialect: MessageDialect
    /// `claim`: whoever gets this push holds the device token; the installation named is to say so.
    package var claim: TokenClaim?
    /// `notice`: what is shown says only that the message was recalled; a phone on which the SDK runs removes it.
    package var isNotice: Bool
    /// `reply`: a text that the person types into the notification is to be told to the service.
    package var keepsReplies: Bool

    /// A key with these members; what is left out is absent in the push.
    package init(
        version: Int = currentVersion, id: MessageID? = nil, now: Timestamp? = nil, until: Timestamp? = nil,
        silent: JSONValue? = nil, removals: [Removal] = [], needsSync: Bool = false, badge: Int? = nil,
        attempt: Int = 1, revision: Int = 1,
        dialect: MessageDialect = .carillon,
        claim: TokenClaim? = nil, isNotice: Bool = false, keepsReplies: Bool = false
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
        self.revision = revision
        self.dialect = dialect
        self.claim = claim
        self.isNotice = isNotice
        self.keepsReplies = keepsReplies
    }

    /// Reads the value of the key; `nil` when it is not an object with a version of at least 1.
    ///
    /// A member that cannot be understood is skipped: an app must not fail because a service is newer.
    package init?(json: JSONValue) {
        guard let version = json["v"]?.intValue, version >= 1 else { return nil }
        self.init(
            version: version,
            id: json["id"]?.stringValue.flatMap { try? MessageID($0) },
            now: json["now"]?.timestamp,
            until: json["until"]?.timestamp,
            silent: json["silent"],
            removals: (json["rm"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(Removal.init(text:)) },
            needsSync: json["sync"]?.boolValue ?? false,
            badge: json["badge"]?.intValue,
            attempt: json["attempt"]?.intValue ?? 1,
            revision: json["rev"]?.intValue ?? 1,
            dialect: json["d"]?.stringValue.flatMap(MessageDialect.init(rawValue:)) ?? .carillon,
            claim: json["claim"].flatMap(TokenClaim.init(json:)), isNotice: json["notice"]?.boolValue ?? false,
            keepsReplies: json["reply"]?.boolValue ?? false)
    }

    /// Reads the key out of a payload's bytes; `nil` when it is not there.
    package init?(inPayload payload: Data) {
        guard let json = try? JSONValue(parsing: payload)[Self.payloadKey] else { return nil }
        self.init(json: json)
    }

    /// The value of the key, without the members that are absent.
    package var json: JSONValue {
        var members: [String: JSONValue] = ["v": .int(Int64(version))]
        members["id"] = id.map { .string($0.rawValue) }
        members["now"] = now.map { .int($0.millisecondsSince1970) }
        members["until"] = until.map { .int($0.millisecondsSince1970) }
        members["silent"] = silent
        if !removals.isEmpty { members["rm"] = .array(removals.map { .string($0.text) }) }
        if needsSync { members["sync"] = true }
        members["badge"] = badge.map { .int(Int64($0)) }
        if attempt > 1 { members["attempt"] = .int(Int64(attempt)) }
        if revision > 1 { members["rev"] = .int(Int64(revision)) }
        if dialect != .carillon { members["d"] = .string(dialect.rawValue) }
        members["claim"] = claim?.json
        if isNotice { members["notice"] = true }
        if keepsReplies { members["reply"] = true }
        return .object(members)
    }
}

extension JSONValue {
    /// A time in milliseconds since 1970, as it stands in a push; `nil` for any other kind of value.
    package var timestamp: Timestamp? {
        intValue.map { Timestamp(millisecondsSince1970: Int64($0)) }
    }
}
