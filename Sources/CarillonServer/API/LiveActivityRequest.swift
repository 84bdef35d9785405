import CarillonAPNs
import CarillonCore
import Foundation

/// Reads and checks the bodies of the calls on `/v1/live-activities`.
///
/// The members have Apple's names, those of `aps` in a push for a Live Activity.
struct LiveActivityRequest {
    private var body: ObjectReader
    private let now: Timestamp
    private let idempotencyKey: IdempotencyKey?
    private let fingerprint: Data

    init(_ body: ObjectReader, _ idempotencyKey: IdempotencyKey?, at now: Timestamp) {
        (self.body, self.idempotencyKey, self.now) = (body, idempotencyKey, now)
        fingerprint = JSONValue.object(body.rest).fingerprint
    }

    // MARK: The calls

    /// Returns the Live Activity that the body of `POST /v1/live-activities` asks for.
    mutating func start(by key: APIKeyRecord, orNamed topic: String?) throws(Problem) -> NewActivity {
        let app = try body.takeApp(of: key, orNamed: topic)
        let id = try id()
        let type = try type()
        let audience = try audience()
        let attributes = try requiredObject(
            "attributes", #"the values that do not change, such as {"match": "match-7", "home": "Ferrum"}"#)
        try checkNames(id, attributes)
        var content = JSONObject()
        content["content-state"] = .object(
            try requiredObject("content-state", #"the first state, such as {"goals": 0}"#))
        guard let alert = try alert() else {
            throw .invalid("/alert", #"is missing: a phone shows no Live Activity without {"title": …, "body": …}"#)
        }
        try takeOptions(["stale-date", "relevance-score"], into: &content)
        try body.finish()
        let new = NewActivity(
            id: id, app: app, type: type, attributes: attributes, alert: alert, content: content, audience: audience,
            fingerprint: fingerprint, idempotencyKey: idempotencyKey)
        try check(new)
        return new
    }

    /// Returns the change that the body of `PATCH /v1/live-activities/{id}` asks for.
    mutating func update(_ id: MessageID, of app: AppReference) throws(Problem) -> LiveActivityChange {
        var content = JSONObject()
        content["content-state"] = .object(try requiredObject("content-state", #"the new state, such as {"goals": 1}"#))
        if let alert = try alert() { content["alert"] = .object(alert) }
        try takeOptions(["stale-date", "relevance-score"], into: &content)
        content[ClaimedActivity.priorityKey] = body.take(ClaimedActivity.priorityKey)
        let priorities = [APNsPriority.considerate, .immediate].map { JSONValue.int(Int64($0.rawValue)) }
        if let priority = content[ClaimedActivity.priorityKey], !priorities.contains(priority) {
            throw .invalid(
                "/\(ClaimedActivity.priorityKey)",
                "must be 5, which costs none of the phone's budget of updates, or 10, which arrives at once")
        }
        return try change(id, app, content, isEnd: false)
    }

    /// Returns the change that the body of `POST /v1/live-activities/{id}/end` asks for.
    mutating func end(_ id: MessageID, of app: AppReference) throws(Problem) -> LiveActivityChange {
        var content = JSONObject()
        if let state = try object("content-state") { content["content-state"] = .object(state) }
        if let alert = try alert() { content["alert"] = .object(alert) }
        try takeOptions(["dismissal-date", "relevance-score"], into: &content)
        return try change(id, app, content, isEnd: true)
    }

    private mutating func change(
        _ id: MessageID, _ app: AppReference, _ content: JSONObject, isEnd: Bool
    ) throws(Problem) -> LiveActivityChange {
        try body.finish()
        // The path is a part of the request: a key that comes again for another Live Activity is reused.
        let request: JSONValue = [
            "id": .string(id.rawValue), "end": .bool(isEnd), "body": .string(fingerprint.hexadecimal),
        ]
        return LiveActivityChange(
            id: id, app: app, content: content, isEnd: isEnd, fingerprint: request.fingerprint,
            idempotencyKey: idempotencyKey)
    }

    // MARK: The members

    private mutating func id() throws(Problem) -> MessageID {
        guard let text = try body.takeString("id") else {
            throw .invalid("/id", "is missing: give the Live Activity your own name for it, such as match-7")
        }
        do {
            return try MessageID(text)
        } catch {
            throw .invalid("/id", error.description)
        }
    }

    private mutating func type() throws(Problem) -> String {
        guard let type = try body.takeString("attributes-type") else {
            throw .invalid("/attributes-type", "is missing: the name of the app's type, such as MatchAttributes")
        }
        guard (1...LiveActivityToken.typeByteLimit).contains(type.utf8.count) else {
            throw .invalid("/attributes-type", "has 1 to \(LiveActivityToken.typeByteLimit) bytes")
        }
        return type
    }

    private mutating func audience() throws(Problem) -> Audience {
        let (audience, variables) = try body.takeRecipients()
        guard variables == nil else {
            throw .invalid("/to/users", "must be an array of ids: a Live Activity has no texts with variables")
        }
        return audience
    }

    /// Checks that an attribute names the Live Activity, by which the app's SDK knows which one a token belongs to.
    private func checkNames(_ id: MessageID, _ attributes: JSONObject) throws(Problem) {
        let names = attributes.keys.contains { key in
            attributes[key].map { $0.stringValue == id.rawValue || $0.intValue.map(String.init) == id.rawValue }
                ?? false
        }
        guard !names else { return }
        throw .invalid(
            "/attributes",
            #"no attribute is "\#(id)": the app knows the Live Activity by the attribute that it gives to the SDK as its id"#
        )
    }

    private mutating func object(_ key: String) throws(Problem) -> JSONObject? {
        guard let value = body.take(key) else { return nil }
        guard case .object(let members) = value else {
            throw .invalid(body.pointer(to: key), "must be an object, not \(value.kind)")
        }
        return members
    }

    private mutating func requiredObject(_ key: String, _ words: String) throws(Problem) -> JSONObject {
        guard let members = try object(key) else { throw .invalid(body.pointer(to: key), "is missing: \(words)") }
        return members
    }

    private mutating func alert() throws(Problem) -> JSONObject? {
        guard let alert = try object("alert") else { return nil }
        guard alert["title"] != nil || alert["body"] != nil else {
            throw .invalid("/alert", "says nothing: give it a title, a body or both")
        }
        return alert
    }

    private mutating func takeOptions(_ keys: [String], into content: inout JSONObject) throws(Problem) {
        for key in keys {
            guard LiveActivityEvent.times.contains(key) else {
                guard let value = body.take(key) else { continue }
                guard value.doubleValue != nil else {
                    throw .invalid(body.pointer(to: key), "must be a number, not \(value.kind)")
                }
                content[key] = value
                continue
            }
            guard let moment = try body.takeMoment(key) else { continue }
            guard key != "stale-date" || moment > now else {
                throw .invalid("/stale-date", "has passed: it is \(now) now; nothing was sent")
            }
            content[key] = .int(moment.secondsSince1970)
        }
    }

    /// Checks the size of the push that starts a Live Activity.
    private func check(_ new: NewActivity) throws(Problem) {
        var push = ClaimedActivity(
            id: new.id, phone: 0, event: .start, type: new.type, attributes: new.attributes, content: new.content,
            stamp: now.secondsSince1970, until: now)
        push.content["alert"] = .object(new.alert)
        do {
            _ = try push.payload()
        } catch {
            throw .invalid("", "\(error.description): shorten attributes, content-state or alert")
        }
    }
}
