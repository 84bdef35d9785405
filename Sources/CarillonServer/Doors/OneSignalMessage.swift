import CarillonAPNs
import CarillonCore

/// A message in the words of OneSignal's `POST /notifications`.
struct OneSignalMessage {
    var send: DoorSend
    /// Whether it is for other platforms only, so that no iPhone gets it.
    var isForOthers: Bool
    /// The key by which a repetition of the request is recognised; `nil` for none.
    var idempotencyKey: String?

    static let members: [DoorMember] = [
        .taken("app_id", "the app's bundle id; anything else is ignored if the API key is for one app"),
        .taken("include_aliases", "`external_id` only: your own ids of users"),
        .taken("include_external_user_ids", "your own ids of users"),
        .taken("include_subscription_ids", "ids of devices, as `GET /v1/users/{id}/devices` has them"),
        .taken("include_player_ids", "as `include_subscription_ids`"),
        .taken("include_ios_tokens", "APNs' device tokens in hexadecimal"),
        .taken(
            "included_segments", "`All`, `Subscribed Users`, `Total Subscriptions`, `Active Subscriptions`: everyone"),
        .taken(
            "filters",
            "`tag` with `=`, `!=`, `exists`, `not_exists`, and `language` with `=`, `!=`, with `AND` and `OR`"),
        .taken("target_channel", "`push`"),
        .taken("contents", "the body by language; `en`, or the only one, is for all other languages"),
        .taken("headings", "the title by language"),
        .taken("subtitle", "the subtitle by language"),
        .taken("data", "`custom.a` of the payload, where OneSignal puts it"),
        .taken("url", "`custom.u` of the payload"),
        .taken("ios_attachments", "`att` of the payload"),
        .taken("content_available", "wakes the app; without `contents`, the message is silent"),
        .taken("mutable_content", "runs the app's service extension"),
        .taken("ios_sound", "the sound"),
        .taken("ios_category", "the category"),
        .taken("thread_id", "the thread"),
        .taken("target_content_identifier", "Apple's key `target-content-id`"),
        .taken("ios_interruption_level", "Apple's key, with `_` for `-` too"),
        .taken("ios_relevance_score", "Apple's key `relevance-score`"),
        .taken("ios_badgeType", "`SetTo` with `ios_badgeCount`; `Increase` is the user's unread count; `None`"),
        .taken("ios_badgeCount", "the badge, with `SetTo`"),
        .taken("collapse_id", "`id`: a message with it replaces the one before"),
        .taken("send_after", "`send_at`: RFC 3339, or as `2027-01-31 14:00:00 GMT-0700`"),
        .taken("ttl", "seconds until `until`; three days without it. Nothing is removed from phones then"),
        .taken("idempotency_key", "a repetition is answered as the first, as long as messages are kept"),
        .taken("external_id", "as `idempotency_key`"),
        .taken("isIos", "false, with another platform, is a message for nobody here"),
        .taken("isAndroid", "without `isIos`, a message for nobody here"),
        .taken("isHuawei", "as `isAndroid`"),
        .taken("isAnyWeb", "as `isAndroid`"),
        .taken("isChromeWeb", "as `isAndroid`"),
        .taken("isFirefox", "as `isAndroid`"),
        .taken("isSafari", "as `isAndroid`"),
        .ignored("name", "a label in OneSignal's dashboard"),
        .ignored("priority", "an alert goes out with 10, a silent push with 5, as Apple requires"),
        .ignored("android_*", "not for iPhones"),
        .ignored("huawei_*", "not for iPhones"),
        .ignored("chrome_*", "not for iPhones"),
        .ignored("firefox_*", "not for iPhones"),
        .ignored("adm_*", "not for iPhones"),
        .ignored("wp_*", "not for iPhones"),
        .ignored("web_url", "not for iPhones"),
        .ignored("big_picture", "not for iPhones"),
        .ignored("small_icon", "not for iPhones"),
        .ignored("large_icon", "not for iPhones"),
        .refused("excluded_segments", "say whom it is for with `filters`, or with `where` of `POST /v1/notifications`"),
        .refused("template_id", "this door has no templates: name one of ours in POST /v1/notifications"),
        .refused("custom_data", "it is for templates, which this door does not have"),
        .refused("delayed_option", "a message goes to all at one time"),
        .refused("delivery_time_of_day", "a message goes to all at one time"),
        .refused("throttle_rate_per_minute", "an app's rate is set with `carillon apps`"),
        .refused("enable_frequency_cap", "there are no caps"),
        .refused("email_*", "Carillon sends to iPhones only"),
        .refused("include_email_tokens", "Carillon sends to iPhones only"),
        .refused("include_phone_numbers", "Carillon sends to iPhones only"),
        .refused("sms_*", "Carillon sends to iPhones only"),
        .refused("apns_push_type_override", "a call has `carillon push`"),
        .refused("buttons", "an app declares its actions itself, and `ios_category` names them"),
    ]

    private static let segmentsOfAll = ["All", "Subscribed Users", "Total Subscriptions", "Active Subscriptions"]
    private static let otherPlatforms = ["isAndroid", "isHuawei", "isAnyWeb", "isChromeWeb", "isFirefox", "isSafari"]
    private static let standardLife = Duration.seconds(3 * 24 * 3600)

    /// Reads the body of `POST /notifications`.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - now: the present time, from which `ttl` is counted.
    ///   - freshID: the message's id if the body has no `collapse_id`.
    /// - Throws: ``Problem`` with a pointer into the body.
    init(_ body: ObjectReader, at now: Timestamp, freshID: String) throws(Problem) {
        var body = body
        let fingerprint = JSONValue.object(body.rest).fingerprint
        isForOthers = try Self.isForOthers(&body)
        if let channel = try body.takeText("target_channel"), channel != "push" {
            throw .invalid("/target_channel", "must be push: Carillon sends to iPhones only")
        }
        let recipients = try Self.recipients(&body)
        var members = try OneSignalTexts.members(&body)
        let collapseID = try body.takeText("collapse_id")
        let id = collapseID.map(DoorIdentifier.message) ?? freshID
        members["id"] = .string(id)
        if collapseID != nil { members["replace"] = true }
        try Self.addCustom(&members, &body, id)
        let sendAt = try Self.sendAt(&body)
        if let sendAt { members["send_at"] = .string(sendAt.description) }
        members["until"] = try Self.until(&body, after: max(sendAt ?? now, now))
        if members["until"] != "now" { members["remove_expired"] = false }
        let externalID = try body.takeText("external_id")
        idempotencyKey = try body.takeText("idempotency_key") ?? externalID
        let topic = try body.takeText("app_id")
        let ignored = try body.finish(Self.members)
        send = DoorSend(recipients: recipients, members: members, topic: topic, ignored: ignored)
        if idempotencyKey != nil { send.fingerprint = fingerprint }
    }

    private static func isForOthers(_ body: inout ObjectReader) throws(Problem) -> Bool {
        let isIOS = try body.takeBool("isIos")
        var namesOthers = false
        for platform in otherPlatforms where try body.takeBool(platform) == true { namesOthers = true }
        return isIOS == false || (isIOS == nil && namesOthers)
    }

    // MARK: Whom it is for

    private static func recipients(_ body: inout ObjectReader) throws(Problem) -> DoorSend.Recipients {
        var found: [DoorSend.Recipients] = []
        if let aliases = body.take("include_aliases") {
            var reader = try ObjectReader(aliases, pointer: "/include_aliases")
            let users = try reader.takeTexts("external_id")
            try reader.finish()
            found.append(.to(["users": .array(users.map(JSONValue.string))]))
        }
        for (theirs, ours) in [
            ("include_external_user_ids", "users"), ("include_subscription_ids", "devices"),
            ("include_player_ids", "devices"),
        ] {
            let ids = try body.takeTexts(theirs)
            if !ids.isEmpty { found.append(.to([ours: .array(ids.map(JSONValue.string))])) }
        }
        let tokens = try body.takeTexts("include_ios_tokens")
        if !tokens.isEmpty { found.append(.tokens(tokens)) }
        let segments = try body.takeTexts("included_segments")
        if let other = segments.first(where: { !segmentsOfAll.contains($0) }) {
            throw .invalid(
                "/included_segments",
                "names \(other.prefix(DeliveryLimits.quotedKeyCharacters)); of segments, only \(segmentsOfAll.joined(separator: ", ")) are known: use filters"
            )
        }
        if !segments.isEmpty { found.append(.to(["everyone": true])) }
        if let filters = body.take("filters") {
            found.append(.to(["where": .string(try OneSignalFilters.expression(filters))]))
        }
        guard found.count == 1, let only = found.first else {
            throw .invalid(
                "",
                "You must include which players, segments, or tags you wish to send this notification to: exactly one of include_aliases, include_subscription_ids, included_segments and filters"
            )
        }
        return only
    }

    // MARK: When

    private static func sendAt(_ body: inout ObjectReader) throws(Problem) -> Timestamp? {
        guard let text = try body.takeText("send_after") else { return nil }
        guard let moment = Timestamp(rfc3339: rfc3339(text)) else {
            throw .invalid("/send_after", "is not understood: write it as 2027-01-31T14:00:00-07:00")
        }
        return moment
    }

    /// Returns a time such as `2027-01-31 14:00:00 GMT-0700` in the form of RFC 3339; any other text as it is.
    private static func rfc3339(_ text: String) -> String {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[2].hasPrefix("GMT") || parts[2].hasPrefix("UTC") else { return text }
        let zone = parts[2].dropFirst(3).filter { $0 != ":" }
        guard zone.count == 5 else { return "\(parts[0])T\(parts[1])\(zone.isEmpty ? "Z" : String(zone))" }
        return "\(parts[0])T\(parts[1])\(zone.prefix(3)):\(zone.suffix(2))"
    }

    private static func until(_ body: inout ObjectReader, after start: Timestamp) throws(Problem) -> JSONValue {
        guard let seconds = try body.takeInteger("ttl") else { return .string((start + standardLife).description) }
        guard seconds > 0 else { return "now" }
        guard Double(start.millisecondsSince1970) / 1000 + Double(seconds) <= ServiceLimits.lastSecond else {
            throw .invalid("/ttl", "is a number of seconds, and too large; is it in milliseconds?")
        }
        return .string((start + .seconds(seconds)).description)
    }

    // MARK: Further members of the payload

    /// Adds what OneSignal puts beside `aps`: `custom` with the message's id, the data and the address, and `att`.
    private static func addCustom(
        _ members: inout JSONObject, _ body: inout ObjectReader, _ id: String
    ) throws(Problem) {
        var custom = JSONObject()
        custom["i"] = .string(id)
        if let data = body.take("data") {
            guard data.members != nil else { throw .invalid("/data", "must be an object, not \(data.kind)") }
            custom["a"] = data
        }
        custom["u"] = try body.takeText("url").map(JSONValue.string)
        var payload = members["payload"]?.members ?? JSONObject()
        payload["custom"] = .object(custom)
        payload["att"] = body.take("ios_attachments")
        members["payload"] = .object(payload)
    }
}
