import CarillonAPNs
import CarillonCore

/// One element of `notifications` in a call of gorush.
struct GorushNotification {
    /// The message; `nil` for a platform that is not Apple's.
    var send: DoorSend?
    var tokens: [String]
    var platform: String
    /// The member `message`, which gorush's answer repeats for each failed token.
    var text: String

    /// The number of `platform` that means iOS.
    private static let iOS = 1

    static let members: [DoorMember] = [
        .taken("tokens", "APNs' device tokens in hexadecimal"),
        .taken("to", "one more of `tokens`"),
        .taken("platform", "1, iOS; the tokens of any other are told as failed"),
        .taken("topic", "the app's bundle id; not needed if the API key is for one app"),
        .taken("message", "the alert, or its body beside a title"),
        .taken("title", "the alert's title"),
        .taken("alert", "an object that comes before `message` and `title`"),
        .taken("badge", "from 0"),
        .taken("sound", "a name, or `{\"name\", \"volume\", \"critical\"}`"),
        .taken("name", "the sound's name"),
        .taken("volume", "the sound's volume, for a critical alert"),
        .taken("category", "the notification's category"),
        .taken("thread-id", "the notification's thread"),
        .taken("url-args", "Apple's key of that name"),
        .taken("interruption_level", "Apple's key `interruption-level`"),
        .taken("content_available", "wakes the app; alone, the message is silent"),
        .taken("mutable_content", "runs the app's service extension"),
        .taken("data", "further members of the payload"),
        .taken("push_type", "`alert` or `background`"),
        .taken("expiration", "`until`; 0, or a time that has passed, is now or never"),
        .taken("collapse_id", "`id`: a message with it replaces the one before"),
        .taken(
            "production", "the environment of tokens that are not known yet; production unless `development` is true"),
        .taken("development", "the sandbox, for tokens that are not known yet"),
        .ignored("notif_id", "the answer has `ids`, and `GET /v1/notifications/{id}` tells what became of them"),
        .ignored("priority", "an alert goes out with 10, a silent push with 5, as Apple requires"),
        .ignored("retry", "the service tries again by itself"),
        .ignored("apns_id", "the service gives each push its own"),
        .refused("content-state", "Live Activities have `POST /v1/live-activities`"),
        .refused("stale-date", "Live Activities have `POST /v1/live-activities`"),
        .refused("dismissal-date", "Live Activities have `POST /v1/live-activities`"),
        .refused("event", "Live Activities have `POST /v1/live-activities`"),
        .refused("timestamp", "Live Activities have `POST /v1/live-activities`"),
    ]

    /// Reads the body of `POST /api/push`.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - now: the present time.
    /// - Returns: the notifications.
    /// - Throws: ``Problem`` with a pointer into the body.
    static func all(_ body: ObjectReader, at now: Timestamp) throws(Problem) -> [GorushNotification] {
        var body = body
        guard let list = body.take("notifications") else {
            throw .invalid("", "Missing `notifications` field.")
        }
        guard let elements = list.arrayValue else {
            throw .invalid("/notifications", "must be an array, not \(list.kind)")
        }
        guard !elements.isEmpty else { throw .invalid("/notifications", "Notifications field is empty.") }
        guard elements.count <= ServiceLimits.doorNotifications else {
            throw .invalid(
                "/notifications",
                "Number of notifications(\(elements.count)) over limit(\(ServiceLimits.doorNotifications))")
        }
        var notifications: [GorushNotification] = []
        for (index, element) in elements.enumerated() {
            notifications.append(
                try GorushNotification(try ObjectReader(element, pointer: "/notifications/\(index)"), now))
        }
        return notifications
    }

    private init(_ object: ObjectReader, _ now: Timestamp) throws(Problem) {
        var object = object
        tokens = try object.takeTexts("tokens")
        if let to = try object.takeText("to") { tokens.append(to) }
        guard !tokens.isEmpty else { throw .invalid(object.pointer(to: "tokens"), "tokens must not be nil or empty") }
        let number = try object.takeInteger("platform")
        platform = [1: "ios", 2: "android", 3: "huawei"][number ?? 0] ?? "unknown"
        text = try object.takeText("message") ?? ""
        guard number == Self.iOS else { return }
        send = try Self.send(&object, tokens, DoorText.literal(text), now)
    }

    private static func send(
        _ object: inout ObjectReader, _ tokens: [String], _ text: String, _ now: Timestamp
    ) throws(Problem) -> DoorSend {
        var members = JSONObject()
        var aps = try aps(&object, text)
        let isWaking = try object.takeBool("content_available") ?? false
        if isWaking { aps["content-available"] = 1 }
        if try object.takeBool("mutable_content") == true { aps["mutable-content"] = 1 }
        let isSilent = try isSilent(&object, aps)
        if isSilent {
            aps["content-available"] = 1
            members["mode"] = "silent"
        }
        members["payload"] = .object(try payload(&object, aps))
        if let seconds = try object.takeInteger("expiration") {
            // APNs tries an expired push once.
            let isOver = Timestamp(secondsSince1970: Int64(seconds)) <= now
            members["until"] = isOver ? "now" : .int(Int64(seconds))
            if !isOver { members["remove_expired"] = false }
        }
        if let id = try object.takeText("collapse_id") {
            members["id"] = .string(DoorIdentifier.message(id))
            members["replace"] = true
        }
        var send = DoorSend(recipients: .tokens(tokens), members: members, topic: try object.takeText("topic"))
        let isProduction = try object.takeBool("production") ?? false
        if try object.takeBool("development") == true, !isProduction { send.environment = .sandbox }
        send.ignored = try object.finish(Self.members)
        return send
    }

    /// Returns whether the message is silent: by its type, or because it shows nothing and wakes the app.
    private static func isSilent(_ object: inout ObjectReader, _ aps: JSONObject) throws(Problem) -> Bool {
        switch try object.takeText("push_type") {
        case "background": return true
        case "alert": return false
        case nil:
            return aps["content-available"] != nil && ["alert", "badge", "sound"].allSatisfy { aps[$0] == nil }
        default:
            throw .invalid(object.pointer(to: "push_type"), "must be alert or background: this door sends no other")
        }
    }

    private static func aps(_ object: inout ObjectReader, _ text: String) throws(Problem) -> JSONObject {
        var aps = JSONObject()
        aps["alert"] = try alert(&object, text)
        if let badge = try object.takeInteger("badge"), badge >= 0 { aps["badge"] = .int(Int64(badge)) }
        aps["sound"] = try sound(&object)
        for (theirs, apples) in [
            ("category", "category"), ("thread-id", "thread-id"), ("interruption_level", "interruption-level"),
        ] {
            aps[apples] = try object.takeText(theirs).map(JSONValue.string)
        }
        let arguments = try object.takeTexts("url-args")
        if !arguments.isEmpty { aps["url-args"] = .array(arguments.map(JSONValue.string)) }
        return aps
    }

    /// Returns the alert: a text, or an object once there is a title or another member.
    private static func alert(_ object: inout ObjectReader, _ text: String) throws(Problem) -> JSONValue? {
        let title = try object.takeText("title")
        var members = JSONObject()
        if let title {
            members["title"] = .string(DoorText.literal(title))
            members["body"] = text.isEmpty ? nil : .string(text)
        }
        if let given = object.take("alert") {
            guard let alert = given.members else {
                throw .invalid(object.pointer(to: "alert"), "must be an object, not \(given.kind)")
            }
            for (name, value) in alert.sorted() where value != .null && value != "" && value != .array([]) {
                members[name] = value.stringValue.map { .string(DoorText.literal($0)) } ?? value
            }
            if !alert.keys.isEmpty, members["body"] == nil, !text.isEmpty { members["body"] = .string(text) }
        }
        guard members.keys.isEmpty else { return .object(members) }
        return text.isEmpty ? nil : .string(text)
    }

    private static func sound(_ object: inout ObjectReader) throws(Problem) -> JSONValue? {
        let given = object.take("sound")
        let name = try object.takeText("name")
        let volume = object.take("volume")
        guard name != nil || volume != nil else { return given == "" ? nil : given }
        var members = given?.members ?? JSONObject()
        if let plain = given?.stringValue { members["name"] = .string(plain) }
        if let name { members["name"] = .string(name) }
        if let volume { members["volume"] = volume }
        return .object(members)
    }

    private static func payload(_ object: inout ObjectReader, _ aps: JSONObject) throws(Problem) -> JSONObject {
        var payload = JSONObject()
        if let data = object.take("data") {
            guard let members = data.members else {
                throw .invalid(object.pointer(to: "data"), "must be an object, not \(data.kind)")
            }
            guard members["aps"] == nil else {
                throw .invalid(object.pointer(to: "data"), "has a member aps, which the other members make")
            }
            payload = members
        }
        payload["aps"] = .object(aps)
        return payload
    }
}
