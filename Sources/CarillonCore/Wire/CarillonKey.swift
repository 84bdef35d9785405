import Foundation

/// The data that Carillon adds to a push, under the payload's key `carillon`, beside the sender's own keys.
///
/// This is version 1 of the structure. The names are short, because they count against a push's 4096 bytes. An app ignores
/// unknown members, so that a newer service can talk to an older app.
package struct CarillonKey: Sendable, Hashable {
    /// The key in the payload.
    package static let payloadKey = "carillon"
    /// The version that this package writes.
    package static let currentVersion = 1

    /// `v`: the version of this structure.
    package var version: Int
    /// `id`: the id of the message that this push is about; absent in a push that only asks the phone to remove
    /// messages.
    package var id: MessageID?
    /// `now`: the service's time when it composed the push, in ms, because the phone's own clock may be wrong; `nil` if
    /// absent.
    package var now: Timestamp?
    /// `until`: the last moment at which the message may be seen, in ms; absent if the message does not expire.
    package var until: Timestamp?
    /// `silent`: the `aps` of the notification that the SDK makes when the message arrives in a silent push; `nil` in
    /// any push that is not silent.
    package var silent: JSONValue?
    /// `rm`: the messages that the phone must remove and whose removal it has not confirmed, newest first, as many as
    /// fit.
    package var removals: [Removal]
    /// `sync`: whether there are more messages to remove than fit into the push, so that the phone must ask the
    /// service.
    package var needsSync: Bool
    /// `badge`: the user's unread count, in pushes that must not contain `aps.badge`; `nil` if the key is absent.
    package var badge: Int?
    /// `attempt`: the number of the delivery attempt, 2 or more if this message may have been delivered before; absent means 1.
    package var attempt: Int
    /// `rev`: the revision of the message: 1 for its first sending, and one more for each replacement under its id.
    ///
    /// An absent member means 1. The revision distinguishes a replacement, which the phone shows, from a second delivery, which
    /// the phone does not show.
    package var revision: Int
    /// `d`: the message's payload format, which determines the notification's identifier on a phone; absent for Carillon's own
    /// format.
    package var dialect: MessageDialect
    /// `claim`: a nonce, and the id of the installation that must return the nonce to prove that it holds the token;
    /// `nil` for none.
    package var claim: TokenClaim?
    /// `notice`: whether the push shows only a notice that the message was recalled; a phone on which the SDK runs removes this
    /// notice.
    package var isNotice: Bool
    /// `reply`: whether the app sends the service the text that the person types into the notification.
    package var keepsReplies: Bool

    /// Makes a key; omitted members are absent in the push.
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

    /// Reads the value of the key; `nil` if the value is not an object with a version of at least 1.
    ///
    /// Members with an unknown form are skipped: an app must not fail because the service is newer.
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

    /// Reads the key from a payload's bytes; `nil` if the key is missing.
    package init?(inPayload payload: Data) {
        guard let json = try? JSONValue(parsing: payload)[Self.payloadKey] else { return nil }
        self.init(json: json)
    }

    /// The value of the key, without absent members.
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
    /// The time of this number of milliseconds since 1970; `nil` if this value is no whole number.
    package var timestamp: Timestamp? {
        intValue.map { Timestamp(millisecondsSince1970: Int64($0)) }
    }
}
