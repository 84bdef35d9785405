import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// The calls about Live Activities of tests: a match whose state is the number of goals.
extension Store {
    @discardableResult
    func start(
        _ id: String = "match-7", to audience: Audience = .users(["u"]), goals: Int = 0, stale: Timestamp? = nil,
        key: String? = nil, app: AppReference = chime, at now: Timestamp = noon
    ) async throws -> ActivityAcceptance {
        var content = Self.goals(goals)
        content["stale-date"] = stale.map { .int($0.secondsSince1970) }
        return try await activities.start(
            NewActivity(
                id: MessageID(test: id), app: app, type: "Match", attributes: JSONObject(["match": .string(id)]),
                alert: JSONObject(["title": "It begins"]), content: content, audience: audience,
                fingerprint: Data("\(id) \(goals)".utf8),
                idempotencyKey: key.map { IdempotencyKey(owner: "k", key: $0) }),
            at: now)
    }

    @discardableResult
    func update(
        _ goals: Int, of id: String = "match-7", key: String? = nil, app: AppReference = chime, at now: Timestamp = noon
    ) async throws -> ActivityAcceptance {
        try await change(id, Self.goals(goals), isEnd: false, key, app, at: now)
    }

    @discardableResult
    func end(
        _ id: String = "match-7", _ content: JSONObject = JSONObject(), app: AppReference = chime,
        at now: Timestamp = noon
    ) async throws -> ActivityAcceptance { try await change(id, content, isEnd: true, nil, app, at: now) }

    /// Changes a match's members of `aps`, or its priority.
    func change(_ id: String, _ content: JSONObject, at now: Timestamp = noon) async throws {
        try await change(id, content, isEnd: false, nil, chime, at: now)
    }

    @discardableResult
    private func change(
        _ id: String, _ content: JSONObject, isEnd: Bool, _ key: String?, _ app: AppReference, at now: Timestamp
    ) async throws -> ActivityAcceptance {
        try await activities.change(
            LiveActivityChange(
                id: MessageID(test: id), app: app, content: content, isEnd: isEnd,
                fingerprint: try JSONValue.object(content).encoded(),
                idempotencyKey: key.map { IdempotencyKey(owner: "k", key: $0) }), by: AuditActor("test"), at: now)
    }

    static func goals(_ goals: Int) -> JSONObject { JSONObject(["content-state": ["goals": .int(Int64(goals))]]) }

    /// Registers a device's tokens for Live Activities: that for the start, and those of matches.
    func tokens(
        start: String? = nil, _ matches: [String: String] = [:], of device: String = "a", at now: Timestamp = noon
    ) async throws {
        let starts = start.map { [LiveActivityToken(type: "Match", token: testToken($0))] } ?? []
        let updates = matches.map { LiveActivityToken(type: "Match", id: $0, token: testToken($1)) }
        _ = try await change(
            device, DeviceUpdate(facts: [:], liveActivities: starts + updates, nonce: "n"), at: now)
    }

    func states(of id: String = "match-7", app: AppReference = chime, at now: Timestamp = noon) async throws -> [String:
        Int]
    { try await activities.report(MessageID(test: id), of: app, at: now)?.phones ?? [:] }

    /// Claims the pushes of Live Activities that are due.
    func claimMatches(by worker: String = "w", at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        try await claim(everything(worker: worker), at: now).deliveries.filter { $0.purpose == .liveActivity }
    }

    /// Claims the pushes that are due, and settles them with one outcome.
    @discardableResult
    func sendMatches(
        _ outcome: SendOutcome = .accepted(apnsID: noID), at now: Timestamp = noon
    ) async throws -> [ClaimedDelivery] {
        let pushes = try await claimMatches(at: now)
        try await settle(pushes.map { $0.settled(outcome, at: now) }, at: now)
        return pushes
    }
}

extension ClaimedDelivery {
    /// The kind of the push, the beginning of its token and the goals that it shows, such as `update bb 1`.
    var words: String {
        let goals = activity?.content["content-state"]?["goals"]?.intValue.map { " \($0)" } ?? ""
        return "\(activity?.event.rawValue ?? "?") \(token.hex)\(goals)"
    }

    /// The members of `aps` in the push's payload.
    var aps: JSONValue? {
        get throws { try JSONValue(parsing: PushComposer.compose(self, at: noon).payload)["aps"] }
    }
}

extension ActivityAcceptance {
    var report: LiveActivityReport? { if case .accepted(let report) = self { report } else { nil } }
    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
