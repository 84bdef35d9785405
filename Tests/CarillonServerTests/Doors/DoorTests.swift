import CarillonAPNs
import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("Doors for the calls of other push services", .timeLimit(.minutes(3)))
struct DoorTests {
    private static func running(
        _ doors: Set<Door> = [.gorush, .onesignal], roles: Set<ServiceConfiguration.Role> = [.api, .sender],
        _ body: @Sendable (RunningService) async throws -> Void
    ) async throws {
        try await RunningService.run(roles: roles, configure: { $0.doors = doors }, body)
    }

    private static func token(_ number: Int) -> String { String(format: "%064x", number) }

    /// The pushes to one token, once as many have gone out.
    private static func pushes(_ count: Int, _ service: RunningService) async throws -> [ComposedPush] {
        while service.sender.pushes.count < count { await Task.yield() }
        return service.sender.pushes
    }

    @Test("are closed unless they are opened", arguments: ["/api/push", "/notifications", "/api/v1/notifications"])
    func closed(_ path: String) async throws {
        try await Self.running([], roles: [.api]) { service in
            let answer = try await service.call("POST", path, body: [:])
            #expect(answer.status == 404)
        }
    }

    @Test("the members of each table are named once, and a refused one is not taken too", arguments: Door.allCases)
    func tables(_ door: Door) {
        let names = door.members.map(\.name)
        #expect(Set(names).count == names.count)
        for member in door.members where member.treatment == .taken { #expect(!member.name.hasSuffix("*")) }
    }

    @Test(
        "the key comes as Bearer, in gorush's address, or where OneSignal's clients put theirs",
        arguments: ["Bearer KEY", "Key KEY", "Basic KEY", "Basic dTpLRVk=", "Basic S0VZOg=="])
    func keys(_ form: String) async throws {
        try await Self.running(roles: [.api]) { service in
            let pairs = ["dTpLRVk=": "u:\(service.key)", "S0VZOg==": "\(service.key):"]
            let parts = form.split(separator: " ")
            let credential = pairs[String(parts[1])].map { Data($0.utf8).base64EncodedString() } ?? service.key
            let answer = try await service.call(
                "POST", "/api/push",
                body: ["notifications": [["tokens": ["aa"], "platform": 1, "message": "x"]]], auth: "",
                headers: ["Authorization": "\(parts[0]) \(credential)"])
            #expect(answer.status == 200, "\(answer.json)")
        }
    }

    @Test("without a key, with a wrong one or without the scope, nothing is sent")
    func rights() async throws {
        try await Self.running(roles: [.api]) { service in
            let reader = try await service.keys.make(name: "reader", scopes: [.read], apps: [chime]).key
            for (auth, status) in [("", 401), ("ck_nobody", 401), (reader, 403)] {
                for path in ["/api/push", "/notifications"] {
                    let answer = try await service.call("POST", path, body: [:], auth: auth)
                    #expect(answer.status == status, "\(path) \(answer.json)")
                }
            }
            let gorush = try await service.call("POST", "/api/push", body: [:], auth: reader)
            #expect(gorush.json["code"] == 403 && gorush.json["message"]?.stringValue?.isEmpty == false)
            let sender = try await service.keys.make(name: "sender", scopes: [.send], apps: [chime]).key
            let unknown = try await service.call(
                "POST", "/api/push",
                body: ["notifications": [["tokens": [.string(Self.token(1))], "platform": 1, "message": "x"]]],
                auth: sender)
            let why = unknown.json["logs"]?.arrayValue?.first?["error"]?.stringValue
            #expect(unknown.status == 200 && why?.contains("scope users") == true, "\(unknown.json)")
            #expect(try await service.store.count(.everyone, of: chime, at: noon) == 0)
        }
    }
}

@Suite("gorush's call", .timeLimit(.minutes(3)))
struct GorushDoorTests {
    private static func running(_ body: @Sendable (RunningService) async throws -> Void) async throws {
        try await RunningService.run(configure: { $0.doors = [.gorush] }, body)
    }

    private static func push(
        _ service: RunningService, _ notifications: JSONValue...
    ) async throws -> RunningService.Answer {
        try await service.call("POST", "/api/push", body: ["notifications": .array(notifications)])
    }

    private static func pushes(_ count: Int, _ service: RunningService) async -> [ComposedPush] {
        while service.sender.pushes.count < count { await Task.yield() }
        return service.sender.pushes
    }

    /// A payload without what Carillon adds to every visible push.
    private static func payload(_ json: JSONValue) -> JSONValue? {
        var (members, aps) = (json.members, json["aps"]?.members)
        members?[CarillonKey.payloadKey] = nil
        for added in ["content-available", "mutable-content"] { aps?[added] = nil }
        members?["aps"] = aps.map { .object($0) }
        return members.map { .object($0) }
    }

    @Test(
        "each documented example becomes the payload that gorush makes",
        arguments: [
            (["message": "Hello World iOS!"], ["aps": ["alert": "Hello World iOS!"]]),
            (
                [
                    "badge": 5,
                    "alert": ["title": "Game Request", "body": "Bob wants to play poker", "action-loc-key": "PLAY"],
                ],
                [
                    "aps": [
                        "alert": [
                            "title": "Game Request", "body": "Bob wants to play poker", "action-loc-key": "PLAY",
                        ],
                        "badge": 5,
                    ]
                ]
            ),
            (
                [
                    "message": "You got your emails.", "badge": 9,
                    "sound": ["critical": 1, "name": "default", "volume": 1],
                ],
                [
                    "aps": [
                        "alert": "You got your emails.", "badge": 9,
                        "sound": ["critical": 1, "name": "default", "volume": 1],
                    ]
                ]
            ),
            (
                ["message": "Hello World iOS!", "data": ["key1": "welcome", "key2": 2]],
                ["aps": ["alert": "Hello World iOS!"], "key1": "welcome", "key2": 2]
            ),
            (
                [
                    "message": "is late {{really}}", "title": "Your train", "thread-id": "t", "name": "ping",
                    "volume": 0.5,
                ],
                [
                    "aps": [
                        "alert": ["title": "Your train", "body": "is late {{really}}"], "thread-id": "t",
                        "sound": "ping",
                    ]
                ]
            ),
            (
                ["message": "x", "interruption_level": "passive", "mutable_content": true, "category": "C"],
                ["aps": ["alert": "x", "interruption-level": "passive", "mutable-content": 1, "category": "C"]]
            ),
        ] as [(JSONValue, JSONValue)])
    func examples(_ call: JSONValue, _ payload: JSONValue) async throws {
        try await Self.running { service in
            var notification = call.members ?? JSONObject()
            notification["tokens"] = ["aa01"]
            notification["platform"] = 1
            let answer = try await Self.push(service, .object(notification))
            #expect(answer.status == 200 && answer.json["success"] == "ok", "\(answer.json)")
            #expect(answer.json["counts"] == 1 && answer.json["logs"] == [], "\(answer.json)")
            let push = try #require(await Self.pushes(1, service).first)
            #expect(Self.payload(push.json) == Self.payload(payload), "\(push.json)")
            #expect(push.app.topic == topic && push.app.environment == .production)
        }
    }

    @Test("a silent push, the sandbox, an end, and an id that replaces")
    func others() async throws {
        try await Self.running { service in
            _ = try await Self.push(
                service, ["tokens": ["aa01"], "platform": 1, "content_available": true, "development": true])
            let silent = try #require(await Self.pushes(1, service).last)
            #expect(silent.pushType == .background && silent.app.environment == .sandbox, "\(silent)")

            let end = noon + .seconds(600)
            for body in ["1 : 0", "1 : 1"] {
                let answer = try await Self.push(
                    service,
                    [
                        "tokens": ["aa01"], "platform": 1, "message": .string(body), "collapse_id": "the score!",
                        "expiration": .int(end.millisecondsSince1970 / 1000),
                    ])
                let id = try #require(answer.json["ids"]?.arrayValue?.first?.stringValue)
                #expect(id.hasPrefix("door-") && id.utf8.count <= MessageID.byteLimit, "\(answer.json)")
            }
            let scores = await Self.pushes(3, service).suffix(2)
            #expect(Set(scores.map(\.collapseID)).count == 1 && scores.allSatisfy { $0.expiration == .at(end) })
            _ = try await Self.push(service, ["tokens": ["aa01"], "platform": 1, "message": "x", "expiration": 0])
            #expect(await Self.pushes(4, service).last?.expiration == .oneAttempt)
        }
    }

    @Test("the same call twice sends twice, since gorush remembers nothing")
    func twice() async throws {
        try await Self.running { service in
            for count in 1...2 {
                _ = try await Self.push(service, ["tokens": ["aa01"], "platform": 1, "message": "x"])
                #expect(await Self.pushes(count, service).count == count)
            }
        }
    }

    @Test("tokens that cannot be sent to are told as gorush tells failed pushes")
    func failures() async throws {
        try await Self.running { service in
            service.sender.answer { push, _ in
                push.token.hex == "bb02"
                    ? .rejected(APNsRejection(.unregistered, 410, since: noon + .seconds(1)))
                    : .accepted(apnsID: push.apnsID)
            }
            _ = try await Self.push(service, ["tokens": ["aa01", "bb02"], "platform": 1, "message": "first"])
            while try await service.store.count(.everyone, of: chime, at: noon) != 1 { await Task.yield() }
            let answer = try await Self.push(
                service, ["tokens": ["aa01", "bb02", "nonsense"], "platform": 1, "message": "second"],
                ["tokens": ["android"], "platform": 2, "message": "third"])
            #expect(answer.json["counts"] == 4 && answer.json["ids"]?.arrayValue?.count == 1, "\(answer.json)")
            let logs = answer.json["logs"]?.arrayValue ?? []
            #expect(logs.count == 3, "\(logs)")
            let reasons = logs.compactMap { $0["error"]?.stringValue }
            #expect(reasons.contains("Unregistered") && reasons.contains("BadDeviceToken"), "\(logs)")
            #expect(logs.allSatisfy { $0["type"] == "failed-push" })
            #expect(logs.last?["platform"] == "android" && logs.last?["message"] == "third")
        }
    }

    @Test(
        "what cannot be done is refused with its place, and nothing of the call goes out",
        arguments: [
            ([:], "Missing `notifications` field."), (["notifications": []], "Notifications field is empty."),
            (["notifications": 1], "/notifications must be an array"),
            (
                [
                    "notifications": .array(
                        Array(repeating: ["tokens": ["aa"], "platform": 1, "message": "x"], count: 101))
                ],
                "Number of notifications(101) over limit(100)"
            ),
            (["notifications": [["platform": 1, "message": "x"]]], "tokens must not be nil or empty"),
            (["notifications": [["tokens": ["aa"], "platform": 1]]], "shows nothing"),
            (
                ["notifications": [["tokens": ["aa"], "platform": 1, "message": "x", "push_type": "voip"]]],
                "/notifications/0/push_type must be alert or background"
            ),
            (
                ["notifications": [["tokens": ["aa"], "platform": 1, "event": "update", "content-state": ["a": 1]]]],
                "/v1/live-activities"
            ),
            (
                [
                    "notifications": [
                        ["tokens": ["aa"], "platform": 1, "message": "good"],
                        ["tokens": ["aa"], "platform": 1, "message": "x", "badge": "three"],
                    ]
                ], "/notifications/1/badge must be a whole number"
            ),
            (
                ["notifications": [["tokens": ["aa"], "platform": 1, "message": "x", "data": ["aps": 1]]]],
                "has a member aps"
            ),
        ] as [(JSONValue, String)])
    func refused(_ body: JSONValue, _ why: String) async throws {
        try await Self.running { service in
            let answer = try await service.call("POST", "/api/push", body: body)
            #expect(answer.status == 400 && answer.json["code"] == 400, "\(answer.json)")
            #expect(answer.json["message"]?.stringValue?.contains(why) == true, "\(answer.json)")
            let messages = try await service.call("GET", "/v1/notifications")
            #expect(messages.json["notifications"] == [], "\(messages.json)")
        }
    }

    @Test("members without effect are named in the answer's header, empty ones of typed clients are not")
    func ignored() async throws {
        try await Self.running { service in
            let answer = try await Self.push(
                service,
                [
                    "tokens": ["aa01"], "platform": 1, "message": "x", "retry": 3, "notif_id": "n", "mystery": 1,
                    "content-state": [:], "apns_id": "", "event": "",
                ])
            #expect(answer.status == 200, "\(answer.json)")
            #expect(answer.headers["carillon-ignored"] == "mystery, notif_id, retry", "\(answer.headers)")
        }
    }

    @Test("a registered phone is found by its token, in its own environment")
    func registered() async throws {
        try await Self.running { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            while try await service.store.device("phone")?.confirmed == nil { await Task.yield() }
            let answer = try await Self.push(
                service, ["tokens": [.string(phone.token)], "platform": 1, "message": "x", "topic": .string(topic)])
            let id = try #require(answer.json["ids"]?.arrayValue?.first?.stringValue)
            let push = try #require(await Self.pushes(1, service).last)
            #expect(push.app.environment == .sandbox)
            let timeline = try await service.call("GET", "/v1/notifications/\(id)/timeline").json
            #expect(timeline["devices"]?.arrayValue?.first?["device"] == "phone", "\(timeline)")
        }
    }
}

@Suite("OneSignal's call", .timeLimit(.minutes(3)))
struct OneSignalDoorTests {
    private static func running(_ body: @Sendable (RunningService) async throws -> Void) async throws {
        try await RunningService.run(configure: { $0.doors = [.onesignal] }, body)
    }

    private static func ada(_ service: RunningService) async throws -> TestPhone {
        let phone = TestPhone("phone", on: service)
        try await phone.register(user: "ada")
        while try await service.store.device("phone")?.confirmed == nil { await Task.yield() }
        return phone
    }

    private static func send(
        _ service: RunningService, _ members: [String: JSONValue], path: String = "/notifications"
    ) async throws -> RunningService.Answer {
        let body: [String: JSONValue] = [
            "app_id": "5e605fcd-de88-4b0a-a5eb-5c18b84d52f3", "target_channel": "push",
            "include_aliases": ["external_id": ["ada"]], "contents": ["en": "Hello, world"],
        ]
        return try await service.call("POST", path, body: .object(body.merging(members) { _, new in new }))
    }

    @Test("a message to a user, with texts in languages and the data where OneSignal puts it")
    func user() async throws {
        try await Self.running { service in
            _ = try await Self.ada(service)
            let answer = try await Self.send(
                service,
                [
                    "headings": ["en": "News", "de": "Neues"], "contents": ["en": "Hello", "de": "Hallo"],
                    "data": ["k": "v"], "url": "https://example.com/", "ios_sound": "ping.caf",
                    "ios_interruption_level": "time_sensitive", "ios_badgeType": "SetTo", "ios_badgeCount": 3,
                ], path: "/api/v1/notifications")
            let id = try #require(answer.json["id"]?.stringValue)
            #expect(answer.status == 200 && !id.isEmpty && answer.json["errors"] == nil, "\(answer.json)")
            while service.sender.pushes.isEmpty { await Task.yield() }
            let push = try #require(service.sender.pushes.last?.json)
            #expect(push["aps"]?["alert"] == ["title": "News", "body": "Hello"], "\(push)")
            #expect(push["aps"]?["sound"] == "ping.caf" && push["aps"]?["badge"] == 3)
            #expect(push["aps"]?["interruption-level"] == "time-sensitive")
            #expect(push["custom"] == ["i": .string(id), "a": ["k": "v"], "u": "https://example.com/"])
            let report = try await service.call("GET", "/v1/notifications/\(id)").json
            #expect(report["until"] == .string((noon + .seconds(3 * 86_400)).description), "\(report)")
        }
    }

    @Test("the badge stays as it is unless the call speaks of it, and Increase is the unread count")
    func badge() async throws {
        try await Self.running { service in
            _ = try await Self.ada(service)
            _ = try await Self.send(service, [:])
            while service.sender.pushes.count < 1 { await Task.yield() }
            #expect(service.sender.pushes.last?.json["aps"]?["badge"] == nil)
            _ = try await Self.send(service, ["ios_badgeType": "Increase", "ios_badgeCount": 1])
            while service.sender.pushes.count < 2 { await Task.yield() }
            #expect(service.sender.pushes.last?.json["aps"]?["badge"] == 2)
        }
    }

    @Test("nobody: an empty id and OneSignal's sentence", arguments: [true, false])
    func nobody(_ isForOthers: Bool) async throws {
        try await Self.running { service in
            let answer = try await Self.send(service, isForOthers ? ["isAndroid": true] : [:])
            #expect(answer.status == 200 && answer.json["id"] == "", "\(answer.json)")
            #expect(answer.json["errors"] == ["All included players are not subscribed"], "\(answer.json)")
        }
    }

    @Test("a repetition with the idempotency key is answered as the first, and another body is refused")
    func idempotency() async throws {
        try await Self.running { service in
            _ = try await Self.ada(service)
            let first = try await Self.send(service, ["idempotency_key": "k1"])
            let second = try await Self.send(service, ["idempotency_key": "k1"])
            #expect(first.json["id"] == second.json["id"] && second.status == 200, "\(second.json)")
            let third = try await Self.send(service, ["idempotency_key": "k1", "contents": ["en": "other"]])
            #expect(third.status == 409, "\(third.json)")
            let fourth = try await Self.send(service, [:])
            #expect(fourth.json["id"] != first.json["id"])
        }
    }

    @Test("a scheduled message is cancelled, one that has gone out is not")
    func cancel() async throws {
        try await Self.running { service in
            _ = try await Self.ada(service)
            let later = try await Self.send(service, ["send_after": "2027-06-01 14:00:00 GMT-0700"])
            let id = try #require(later.json["id"]?.stringValue)
            let report = try await service.call("GET", "/v1/notifications/\(id)").json
            #expect(
                report["send_at"] == "2027-06-01T21:00:00.000Z" || report["send_at"] == "2027-06-01T21:00:00Z",
                "\(report)")
            let cancelled = try await service.call("DELETE", "/notifications/\(id)?app_id=x")
            #expect(cancelled.status == 200 && cancelled.json["success"] == true, "\(cancelled.json)")
            let now = try await Self.send(service, [:])
            let sent = try #require(now.json["id"]?.stringValue)
            while try await service.call("GET", "/v1/notifications/\(sent)").json["state"] != "sent" {
                await Task.yield()
            }
            let refused = try await service.call("DELETE", "/notifications/\(sent)")
            #expect(refused.status == 400 && "\(refused.json)".contains("takes it back"), "\(refused.json)")
            #expect(try await service.call("DELETE", "/notifications/nobody").status == 404)
        }
    }

    @Test(
        "filters are conditions",
        arguments: [
            ([["field": "tag", "key": "level", "relation": "=", "value": "10"]], #"tag:"level:10""#),
            (
                [
                    ["field": "tag", "key": "a", "relation": "exists"],
                    ["field": "language", "relation": "=", "value": "de"], ["operator": "OR"],
                    ["field": "tag", "key": "b", "relation": "!=", "value": "x\"y"],
                ], #"tag:"a:"* and locale:"de"* or not tag:"b:x\"y""#
            ),
        ] as [(JSONValue, String)])
    func filters(_ filters: JSONValue, _ expression: String) throws {
        let text = try OneSignalFilters.expression(filters)
        #expect(text == expression)
        _ = try AudienceParser.parse(text)
    }

    @Test(
        "what cannot be done is refused with its place",
        arguments: [
            (["include_aliases": nil], "You must include which players"),
            (["included_segments": ["All"]], "exactly one of"),
            (["include_aliases": ["onesignal_id": ["x"]]], "/include_aliases/onesignal_id"),
            (["include_aliases": nil, "included_segments": ["Whales"]], "names Whales"),
            (
                ["include_aliases": nil, "filters": [["field": "session_count", "relation": ">", "value": "1"]]],
                "/filters/0/field"
            ),
            (["include_aliases": nil, "filters": [["operator": "OR"]]], "OR without a filter"),
            (["target_channel": "email"], "/target_channel must be push"),
            (["template_id": "t"], "/template_id cannot be done here"),
            (["delayed_option": "timezone"], "/delayed_option cannot be done here"),
            (["contents": ["en": "Hi {{ name }}"]], "/contents/en has a variable"),
            (["contents": [:]], "Message Notifications must have English language content"),
            (["send_after": "tomorrow"], "/send_after is not understood"),
            (["ttl": "3"], "/ttl must be a whole number"),
        ] as [([String: JSONValue?], String)])
    func refused(_ members: [String: JSONValue?], _ why: String) async throws {
        try await Self.running { service in
            let answer = try await Self.send(service, members.mapValues { $0 ?? .null })
            #expect(answer.status == 400, "\(answer.json)")
            #expect(answer.json["errors"]?.arrayValue?.first?.stringValue?.contains(why) == true, "\(answer.json)")
        }
    }
}
