import CarillonAPNs
import CarillonCore
import Foundation

/// A push from the page's form for pushes that go directly to APNs, without the service.
struct RawPush: Sendable {
    /// The credential that authenticates a push.
    enum Credential: String, Sendable {
        /// The account's key, which is valid for every app.
        case key
        /// An app's certificate: that of the app that the push is for, unless the request names another.
        case certificate
    }

    /// The id of the chosen phone; `nil` if the request names a device token instead.
    let phone: String?
    let credential: Credential
    /// The topic that the request names; `nil` for that of the app on the phone.
    let topic: String?
    /// The bundle id of the app whose certificate authenticates the push; `nil` for the app that the push is for.
    let certificate: String?
    private let token: DeviceToken
    private let pushType: PushType
    private let priority: APNsPriority?
    private let expiration: APNsExpiration
    private let collapseID: String?
    private let payload: APNsPayload

    /// Parses the request.
    ///
    /// - Parameters:
    ///   - json: an object with `phone` or `token`, `payload` (the text as typed, sent byte for byte), and optionally
    ///     `topic` (an app's bundle id), `push_type`, `priority`, `collapse_id` and `expires_in` (in seconds). `signed_with`
    ///     is `key` or `certificate`, and `certificate` the bundle id of the app whose certificate it is.
    ///   - now: the time from which `expires_in` is counted.
    ///   - tokensOf: returns the device tokens of a phone's app.
    /// - Throws: ``PageProblem`` that names the invalid member.
    init(_ json: JSONValue, now: Timestamp, tokensOf: (String) -> PhoneTokens) throws {
        phone = json["phone"]?.stringValue
        credential = try Self.credential(json["signed_with"]) ?? .key
        topic = try Self.bundleID(json["topic"], "topic")
        certificate = try Self.bundleID(json["certificate"], "certificate")
        let pushType = try Self.pushType(json["push_type"]) ?? .alert
        self.pushType = pushType
        token = try Self.token(json) { tokensOf($0).token(for: pushType, payload: json["payload"]?.stringValue ?? "") }
        guard let payload = json["payload"]?.stringValue else {
            throw PageProblem(422, "A value is missing", "payload must be a string: the payload as it is typed")
        }
        self.payload = APNsPayload(Data(payload.utf8))
        priority = try Self.priority(json["priority"])
        expiration = try Self.expiration(json["expires_in"], now: now)
        collapseID = json["collapse_id"]?.stringValue
    }

    func notification(topic: String, apnsID: UUID) -> APNsNotification {
        APNsNotification(
            deviceToken: token, topic: APNsNotification.topic(bundleID: topic, pushType: pushType), pushType: pushType,
            payload: payload, priority: priority, expiration: expiration, collapseID: collapseID, apnsID: apnsID)
    }

    private static func token(_ json: JSONValue, tokenOf: (String) -> DeviceToken?) throws -> DeviceToken {
        if let phone = json["phone"]?.stringValue {
            if let token = tokenOf(phone) { return token }
            throw PageProblem(
                422, "No such phone", "\(phone) is not one of the phones, or its app has no device token yet")
        }
        if let token = json["token"]?.stringValue.flatMap(DeviceToken.init(hex:)) { return token }
        throw PageProblem(
            422, "A value cannot be accepted", "token is 1–\(DeviceToken.byteLimit) bytes in hexadecimal")
    }

    private static func bundleID(_ value: JSONValue?, _ member: String) throws -> String? {
        guard let value else { return nil }
        if let id = value.stringValue, !id.isEmpty { return id }
        throw PageProblem(422, "A value cannot be accepted", "\(member) is an app's bundle id")
    }

    private static func credential(_ value: JSONValue?) throws -> Credential? {
        guard let value else { return nil }
        if let credential = value.stringValue.flatMap(Credential.init(rawValue:)) { return credential }
        throw PageProblem(422, "A value cannot be accepted", "signed_with is key or certificate")
    }

    static func pushType(_ value: JSONValue?) throws -> PushType? {
        guard let text = value?.stringValue else { return nil }
        if let type = PushType(rawValue: text) { return type }
        throw PageProblem(422, "A value cannot be accepted", "push_type: there is no push type \(text)")
    }

    private static func priority(_ value: JSONValue?) throws -> APNsPriority? {
        guard let value else { return nil }
        if let priority = value.intValue.flatMap(APNsPriority.init(rawValue:)) { return priority }
        throw PageProblem(422, "A value cannot be accepted", "priority is 10, 5 or 1")
    }

    private static func expiration(_ value: JSONValue?, now: Timestamp) throws -> APNsExpiration {
        guard let value else { return .unspecified }
        guard let seconds = value.intValue, (0...(30 * 24 * 3600)).contains(seconds) else {
            throw PageProblem(422, "A value cannot be accepted", "expires_in is 0 to 2592000 seconds (30 days)")
        }
        return seconds == 0 ? .oneAttempt : .at(now + .seconds(seconds))
    }
}

extension PhoneTokens {
    /// Returns the token for a push: for a Live Activity, the token that its `aps.event` needs.
    fileprivate func token(for pushType: PushType, payload: String) -> DeviceToken? {
        switch pushType {
        case .voip: return calls
        case .liveactivity:
            let event = (try? JSONValue(parsing: Data(payload.utf8)))?["aps"]?["event"]?.stringValue
            return event == LiveActivityEvent.start.rawValue ? start : activity
        default: return app
        }
    }
}
