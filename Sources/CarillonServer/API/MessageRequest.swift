import CarillonCore
import Foundation

/// The checked body of `POST /v1/notifications`.
struct MessageRequest {
    var message: NewMessage
    /// The size in bytes of the largest push in each language.
    ///
    /// The key `nil` stands for the texts in the payload itself. The sizes are computed only for a dry run or for a
    /// message that may be too large.
    var sizes: [String?: Int] = [:]
    /// Whether the request is a dry run, which stores and sends nothing.
    var isDryRun: Bool
    /// The reloads of widgets and controls that go with the message.
    var reloads: [NewWidgetReload]

    /// The facts, besides the body, that the checks of a request use.
    struct Rules {
        /// The caller's API key, which determines the apps that the request may name.
        var key: APIKeyRecord
        /// The app that the query names; `nil` if it names none.
        var topic: String?
        var now: Timestamp
        /// The id that the message gets if the body names none.
        var freshID: String
        var idempotencyKey: IdempotencyKey?
        /// The members of the request as received, if a template has added others; `nil`, the default, if it has not.
        var received: JSONObject?
    }

    init(_ body: ObjectReader, _ rules: Rules) throws(Problem) {
        var body = body
        let replaces = try body.takeBool("replace") ?? false
        // The fingerprint covers the request as received, not the message made from it. It leaves out the member
        // `replace`.
        let fingerprint = Self.fingerprint(of: rules.received ?? body.rest)
        let (audience, variables) = try body.takeRecipients()
        let mode = try Self.mode(&body)
        var payload = try Self.payload(&body)
        let localized = try Self.localized(&body, over: payload.payload)
        var sendTime = try SendTime(&body, rules.now)
        let end = try Self.end(&body, mode, after: sendTime?.start ?? rules.now, rules.now)
        let id = try Self.id(&body, rules.freshID)
        let app = try body.takeApp(of: rules.key, orNamed: rules.topic)
        let dialect = try Self.dialect(&body, id)
        let removesExpired = try Self.removesExpired(&body, end, audience)
        let keepsReplies = try body.takeBool("keep_replies") ?? false
        let campaign = try Self.campaign(&body)
        isDryRun = try body.takeBool("dry_run") ?? false
        reloads = try Self.reloads(&body, to: audience, of: app, sendTime, end, rules.now)
        try body.finish()
        let texts = try Self.texts(&payload.payload, localized, variables)

        let isForUsers = if case .users = audience { true } else { false }
        let isNowOrNever = end == .now
        let isCounted = payload.payload.aps.alert != nil && (isForUsers || payload.badgeIsAuto) && !isNowOrNever
        sendTime?.local?.countsAsUnread = isCounted
        message = NewMessage(
            id: id, app: app, mode: mode, sendAt: sendTime?.start, local: sendTime?.local, until: end?.until,
            isNowOrNever: isNowOrNever,
            payload: try Self.encoded(payload.payload),
            badgeIsUnreadCount: payload.badgeIsAuto
                || (isForUsers && payload.isVisible && payload.payload.aps.badge == nil && !isNowOrNever),
            countsAsUnread: isCounted, dialect: dialect,
            audience: audience, texts: texts, variables: variables?.values ?? [:], replacesOtherAudience: replaces,
            removesExpired: removesExpired, keepsReplies: keepsReplies, campaign: campaign,
            fingerprint: fingerprint, idempotencyKey: rules.idempotencyKey)
        try check(payload)
    }

    /// Returns the hash of a request's members without `replace`, by which a repetition is recognized.
    static func fingerprint(of members: JSONObject) -> Data {
        var members = members
        members["replace"] = nil
        return JSONValue.object(members).fingerprint
    }

    // MARK: The members

    private static func mode(_ body: inout ObjectReader) throws(Problem) -> DeliveryMode {
        guard let text = try body.takeString("mode") else { return .visible }
        guard let mode = DeliveryMode(rawValue: text) else {
            throw .invalid("/mode", "must be one of visible, silent, assured")
        }
        return mode
    }

    private static func end(
        _ body: inout ObjectReader, _ mode: DeliveryMode, after sendAt: Timestamp, _ now: Timestamp
    ) throws(Problem) -> MessageEnd? {
        let end = try body.takeEnd("until")
        guard let until = end?.until else {
            guard end != .now || mode != .assured else {
                throw .invalid(
                    "/until",
                    #""now" does not go with the mode assured, whose second push comes later: send it visible or silent"#
                )
            }
            return end
        }
        guard until > now else {
            throw .invalid(
                "/until",
                #"has passed: it is \#(now) now; nothing was sent. For now or never, write "now""#)
        }
        guard until > sendAt else { throw .invalid("/until", "is not after send_at: nobody would get it") }
        return end
    }

    /// Returns whether devices must remove the message once it has expired.
    ///
    /// The default is false for broadcasts (messages to everyone or to a condition), because a removal takes one silent push for
    /// each device, and iOS rations silent pushes.
    private static func removesExpired(
        _ body: inout ObjectReader, _ end: MessageEnd?, _ audience: Audience
    ) throws(Problem) -> Bool {
        let asked = try body.takeBool("remove_expired")
        guard end?.until != nil else {
            guard asked != true else {
                throw .invalid(
                    "/remove_expired",
                    end == .now
                        ? #"needs a time as "until": with "now", phones keep the message"#
                        : #"needs an end: say with "until" when it expires"#)
            }
            return false
        }
        return asked ?? !audience.isBroadcast
    }

    /// Returns the reloads of widgets and of controls that go with the message.
    private static func reloads(
        _ body: inout ObjectReader, to audience: Audience, of app: AppReference, _ sendTime: SendTime?,
        _ end: MessageEnd?, _ now: Timestamp
    ) throws(Problem) -> [NewWidgetReload] {
        let widgets = try body.takeBool("widgets") ?? false
        let controls = try body.takeControls()
        let isAtOnce = sendTime.map { $0.local == nil && $0.start <= now } ?? true
        guard !widgets && controls == nil || isAtOnce else {
            throw .invalid(
                widgets ? "/widgets" : "/controls",
                "does not go with send_at: the reload would come before the message. Call POST /v1/widgets at that time"
            )
        }
        let latest = now + DeliveryLimits.widgetReloadLifetime
        let reload = NewWidgetReload(app: app, audience: audience, until: min(latest, end?.until ?? latest))
        var ofControls = reload
        ofControls.controls = controls
        return (widgets ? [reload] : []) + (controls == nil ? [] : [ofControls])
    }

    private static func id(_ body: inout ObjectReader, _ fresh: String) throws(Problem) -> MessageID {
        let text = try body.takeString("id") ?? fresh
        do {
            return try MessageID(text)
        } catch {
            throw .invalid("/id", error.description)
        }
    }

    /// Returns the campaign whose figures count the message; `nil` if the body has none.
    private static func campaign(_ body: inout ObjectReader) throws(Problem) -> String? {
        guard let text = try body.takeString("campaign") else { return nil }
        guard CampaignName.isValid(text) else { throw .invalid("/campaign", CampaignName.rule) }
        return text
    }

    private static func dialect(_ body: inout ObjectReader, _ id: MessageID) throws(Problem) -> MessageDialect {
        guard let text = try body.takeString("dialect") else { return .carillon }
        guard let dialect = MessageDialect(rawValue: text) else {
            throw .invalid("/dialect", "must be one of carillon, pushwoosh, infobip")
        }
        // The identifier is sent as apns-collapse-id, whose length Apple limits.
        guard dialect.identifier(of: id).utf8.count <= MessageID.byteLimit else {
            let prefix = MessageDialect.pushwooshIdentifierPrefix
            throw .invalid(
                "/id", "has at most \(MessageID.byteLimit - prefix.utf8.count) bytes in this dialect, after \(prefix)")
        }
        return dialect
    }
}
