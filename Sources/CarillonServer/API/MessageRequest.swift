import CarillonCore
import Crypto
import Foundation

/// The body of `POST /v1/notifications`, checked.
struct MessageRequest {
    var message: NewMessage

    /// What a request is checked against.
    struct Rules {
        /// The caller's key, which says for which apps.
        var key: APIKeyRecord
        /// The app that the query names.
        var topic: String?
        var now: Timestamp
        /// The id of a message whose caller names none.
        var freshID: String
        var idempotencyKey: IdempotencyKey?
    }

    init(_ body: ObjectReader, _ rules: Rules) throws(Problem) {
        var body = body
        let replaces = try body.takeBool("replace") ?? false
        // The fingerprint is of what was asked, not of what was made of it; whom it may displace is not part of that.
        let fingerprint = Self.fingerprint(.object(body.rest))
        let audience = try Self.audience(&body)
        let mode = try Self.mode(&body)
        let payload = try Self.payload(&body)
        let until = try Self.until(&body, rules.now)
        let id = try Self.id(&body, rules.freshID)
        let app = try Self.app(&body, rules)
        let dialect = try Self.dialect(&body, id)
        let removesExpired = try Self.removesExpired(&body, until, audience)
        let keepsReplies = try body.takeBool("keep_replies") ?? false
        try Self.refuseUnsupported(&body)
        try body.finish()

        let isForUsers = if case .users = audience { true } else { false }
        let isShown = payload.payload.aps.alert != nil
        message = NewMessage(
            id: id, app: app, mode: mode, until: until, payload: try Self.encoded(payload.payload),
            badgeIsUnreadCount: payload.badgeIsAuto
                || (isForUsers && payload.isVisible && payload.payload.aps.badge == nil),
            countsAsUnread: isShown && (isForUsers || payload.badgeIsAuto), dialect: dialect, audience: audience,
            replacesOtherAudience: replaces, removesExpired: removesExpired, keepsReplies: keepsReplies,
            fingerprint: fingerprint, idempotencyKey: rules.idempotencyKey)
        try check(payload)
    }

    // MARK: The members

    private static func mode(_ body: inout ObjectReader) throws(Problem) -> DeliveryMode {
        guard let text = try body.takeString("mode") else { return .visible }
        guard let mode = DeliveryMode(rawValue: text) else {
            throw .invalid("/mode", "must be one of visible, silent, assured")
        }
        return mode
    }

    private static func until(_ body: inout ObjectReader, _ now: Timestamp) throws(Problem) -> Timestamp? {
        guard let until = try body.takeMoment("until") else { return nil }
        guard until > now else {
            throw .invalid("/until", "has passed: it is \(now) now; nothing was sent")
        }
        return until
    }

    /// Silent pushes are rationed, so one for each device of everyone is sent only where it is asked for.
    private static func removesExpired(
        _ body: inout ObjectReader, _ until: Timestamp?, _ audience: Audience
    ) throws(Problem) -> Bool {
        let asked = try body.takeBool("remove_expired")
        guard until != nil else {
            guard asked != true else {
                throw .invalid("/remove_expired", #"needs an end: say with "until" when it expires"#)
            }
            return false
        }
        return asked ?? (audience != .everyone)
    }

    private static func id(_ body: inout ObjectReader, _ fresh: String) throws(Problem) -> MessageID {
        let text = try body.takeString("id") ?? fresh
        do {
            return try MessageID(text)
        } catch {
            throw .invalid("/id", error.description)
        }
    }

    private static func app(_ body: inout ObjectReader, _ rules: Rules) throws(Problem) -> AppReference {
        let topic = try body.takeString("topic")
        guard topic == nil || rules.topic == nil || topic == rules.topic else {
            throw .invalid("/topic", "is not the app that ?topic= names; name it once")
        }
        return try CallerAuthentication.app(of: rules.key, named: topic ?? rules.topic, pointer: "/topic")
    }

    private static func dialect(_ body: inout ObjectReader, _ id: MessageID) throws(Problem) -> MessageDialect {
        guard let text = try body.takeString("dialect") else { return .carillon }
        guard let dialect = MessageDialect(rawValue: text) else {
            throw .invalid("/dialect", "must be one of carillon, pushwoosh, infobip")
        }
        // The identifier is the apns-collapse-id, of which Apple takes as many bytes as of an id.
        guard dialect.identifier(of: id).utf8.count <= MessageID.byteLimit else {
            let prefix = MessageDialect.pushwooshIdentifierPrefix
            throw .invalid(
                "/id", "has at most \(MessageID.byteLimit - prefix.utf8.count) bytes in this dialect, after \(prefix)")
        }
        return dialect
    }

    private static func refuseUnsupported(_ body: inout ObjectReader) throws(Problem) {
        guard body.take("send_at") == nil else {
            throw .invalid("/send_at", "sending later is not offered yet; send when the time has come, without it")
        }
    }

    static func audience(_ body: inout ObjectReader) throws(Problem) -> Audience {
        guard let to = body.take("to") else {
            throw .invalid("/to", #"is missing: say whom it is for, such as {"user": "u-42"}"#)
        }
        var reader = try ObjectReader(to, pointer: "/to")
        var audiences: [Audience] = []
        if let user = try reader.takeString("user") { audiences.append(.users([user])) }
        if let users = try reader.takeStrings("users", limit: ServiceLimits.namedRecipients) {
            audiences.append(.users(users))
        }
        if let devices = try reader.takeStrings("devices", limit: ServiceLimits.namedRecipients) {
            audiences.append(.devices(devices))
        }
        if let everyone = reader.take("everyone") {
            guard everyone == true else { throw .invalid("/to/everyone", "must be true, or left out") }
            audiences.append(.everyone)
        }
        guard reader.take("where") == nil else {
            throw .invalid("/to/where", "choosing by tags is not offered yet; name users or devices, or everyone")
        }
        try reader.finish()
        guard audiences.count == 1, let audience = audiences.first else {
            throw .invalid("/to", "must have exactly one of user, users, devices, everyone")
        }
        try check(audience)
        return audience
    }

    private static func check(_ audience: Audience) throws(Problem) {
        guard case .users(let users) = audience else { return }
        for user in users where !UserID.isValid(user) { throw .invalid("/to", UserID.rule) }
    }

    static func fingerprint(_ body: JSONValue) -> Data {
        // A number that JSON cannot express cannot have come out of JSON.
        Data(SHA256.hash(data: (try? body.encoded()) ?? Data()))
    }
}
