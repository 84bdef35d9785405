import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("/v1/widgets", .timeLimit(.minutes(3)))
struct WidgetAPITests {
    @Test("a phone registers its tokens, and a backend reloads widgets and controls")
    func story() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let tokens: JSONValue = [["token": "aabb"], ["control": "door", "token": "ccdd"]]
            #expect(
                try await service.call(
                    "PATCH", "/v1/devices/phone", body: ["widgets": tokens], auth: phone.credentials
                ).status == 200)
            let answer = try await service.call("POST", "/v1/widgets", body: ["to": ["user": "u"]])
            #expect(answer.status == 202, "\(answer.json)")
            #expect(answer.json == ["devices": 1, "tokens": 1, "finished": true])
            let controls = try await service.call(
                "POST", "/v1/widgets", body: ["to": ["everyone": true], "controls": ["door"], "until": 4_000_000])
            #expect(controls.status == 422, "\(controls.json)")
            let door = try await service.call("POST", "/v1/widgets", body: ["to": ["user": "u"], "controls": ["door"]])
            #expect(door.json["tokens"] == 1)
            let nobody = try await service.call("POST", "/v1/widgets", body: ["to": ["user": "v"]])
            #expect(nobody.status == 202 && nobody.json["reason"] == "not-signed-in", "\(nobody.json)")
        }
    }

    @Test("the same Idempotency-Key and body reload once, and have the first answer; another body gets 409")
    func repeated() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let tokens: JSONValue = [["token": "aabb"]]
            _ = try await service.call(
                "PATCH", "/v1/devices/phone", body: ["widgets": tokens], auth: phone.credentials)
            func reload(_ user: String, _ key: String?) async throws -> (status: Int, json: JSONValue) {
                let answer = try await service.call(
                    "POST", "/v1/widgets", body: ["to": ["user": .string(user)]],
                    headers: key.map { ["Idempotency-Key": $0] } ?? [:])
                return (answer.status, answer.json)
            }
            func asked() async throws -> Int {
                try await service.store.read { try $0.integer("SELECT sum(asked) FROM widget_tokens") }
            }
            let first = try await reload("u", "k")
            #expect(try await reload("u", "k") == first && first.json["tokens"] == 1)
            #expect(try await asked() == 1)
            let other = try await reload("v", "k")
            #expect(other.status == 409, "\(other.json)")
            #expect(other.json["type"]?.stringValue?.hasSuffix("idempotency-key-reused") == true)
            // A message may have the key too.
            let sent = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["user": "u"], "payload": ["aps": ["alert": "Goal"]]],
                headers: ["Idempotency-Key": "k"])
            #expect(sent.status == 202, "\(sent.json)")
            _ = try await reload("u", nil)
            #expect(try await asked() == 2)
            #expect(try await reload("u", "").status == 422)
        }
    }

    @Test(
        "what cannot be reloaded is refused with its place and what to do",
        arguments: [
            ([:], "/to", "is missing"), (["to": ["users": ["u": ["name": "Ada"]]]], "/to/users", "no texts"),
            (["to": ["user": "u"], "controls": []], "/controls", "takes 1 to 32"),
            (["to": ["user": "u"], "controls": ["door", ""]], "/controls/1", "has 1 to 128 bytes"),
            (["to": ["user": "u"], "until": 1_000_000_000], "/until", "has passed"),
            (["to": ["user": "u"], "until": 4_000_000_000], "/until", "more than 30 days"),
            (["to": ["user": "u"], "kinds": ["score"]], "/kinds", "is not known here"),
            (["to": ["user": "u"], "topic": "com.example.other"], "/topic", "not for"),
        ] as [(JSONValue, String, String)])
    func refused(_ body: JSONValue, _ pointer: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let answer = try await service.call("POST", "/v1/widgets", body: body)
            #expect(answer.status == 422, "\(answer.json)")
            #expect(answer.json["pointer"]?.stringValue ?? "" == pointer, "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains(words) == true, "\(answer.json)")
        }
    }

    @Test("beside a message, widgets and controls are reloaded for its audience; a dry run reloads nothing")
    func besideMessage() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let tokens: JSONValue = [["token": "aabb"], ["control": "door", "token": "ccdd"]]
            _ = try await service.call(
                "PATCH", "/v1/devices/phone", body: ["widgets": tokens], auth: phone.credentials)
            func send(_ more: [String: JSONValue]) async throws -> (status: Int, json: JSONValue) {
                var body: [String: JSONValue] = ["to": ["user": "u"], "payload": ["aps": ["alert": "Goal"]]]
                body.merge(more) { $1 }
                let answer = try await service.call("POST", "/v1/notifications", body: .object(JSONObject(body)))
                return (answer.status, answer.json)
            }
            func waiting() async throws -> Int { try await service.store.rows("widget_tokens WHERE asked > settled") }
            #expect(try await send(["widgets": true, "controls": ["door"], "dry_run": true]).status == 200)
            #expect(try await send([:]).status == 202)
            #expect(try await waiting() == 0)
            #expect(try await send(["widgets": true]).status == 202)
            #expect(try await waiting() == 1)
            #expect(try await send(["widgets": true, "controls": ["door"]]).status == 202)
            #expect(try await waiting() == 2)
            let scheduled = try await send(["widgets": true, "send_at": .int(noon.secondsSince1970 + 60)])
            #expect(scheduled.status == 422 && scheduled.json["pointer"] == "/widgets", "\(scheduled.json)")
            let wrong = try await send(["controls": [""]])
            #expect(wrong.status == 422 && wrong.json["pointer"] == "/controls/0", "\(wrong.json)")
        }
    }

    @Test("a key without the scope send may not reload")
    func scope() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let key = try await service.keys.make(name: "reader", scopes: [.read], apps: [chime]).key
            let answer = try await service.call("POST", "/v1/widgets", body: ["to": ["everyone": true]], auth: key)
            #expect(answer.status == 403, "\(answer.json)")
        }
    }

    @Test(
        "tokens that no phone has are refused",
        arguments: [
            ([["token": "aa"], ["token": "bb"]], "/widgets", "share one token"),
            ([["token": "aa"], ["token": "aa", "control": "door"]], "/widgets/1/token", "earlier entry"),
            ([["token": "aa", "control": ""]], "/widgets/0/control", "has 1 to 128 bytes"),
            (
                .array((0...32).map { ["token": .string(String(format: "%02x", $0)), "control": "door"] }), "/widgets",
                "at most 32"
            ),
        ] as [(JSONValue, String, String)])
    func tokens(_ tokens: JSONValue, _ pointer: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let answer = try await service.call(
                "PATCH", "/v1/devices/phone", body: ["widgets": tokens], auth: phone.credentials)
            #expect(answer.status == 422 && answer.json["pointer"]?.stringValue == pointer, "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains(words) == true, "\(answer.json)")
        }
    }
}
