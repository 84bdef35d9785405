import CarillonCore
import CarillonServer
import Foundation
import Testing

@Suite("A call that cannot be served says what, where and what to do")
struct ProblemTests {
    private static let aps: JSONValue = ["aps": ["alert": "Hello"]]
    private static let good: [String: JSONValue] = ["to": ["user": "u1"], "payload": aps]

    /// Changes to a good body, each with the problem's pointer and a word of its detail.
    static let bodies: [(change: [String: JSONValue], pointer: String, word: String)] = [
        (["to": nil], "/to", "missing"),
        (["to": ["user": "u1", "everyone": true]], "/to", "exactly one"),
        (["to": ["usr": "u1"]], "/to/usr", "did you mean \"user\""),
        (["to": ["where": "tag"]], "/to/where", "at character 4"),
        (["to": ["users": []]], "/to/users", "1 to 1000"),
        (["to": ["everyone": false]], "/to/everyone", "true"),
        (["payload": nil], "/payload", "missing"),
        (["payload": ["aps": ["alert": "x", "badge": "7"]]], "/payload/aps/badge", "auto"),
        (["payload": ["aps": ["sound": 1]]], "/payload/aps/sound", "string"),
        (["payload": ["aps": ["alert": "x"], "carillon": 1]], "/payload/carillon", "own key"),
        (["payload": ["aps": ["content-available": 1]]], "/payload/aps", "shows nothing"),
        (["mode": "loud"], "/mode", "visible, silent, assured"),
        (["until": "tomorrow"], "/until", "RFC 3339"),
        (["until": "2001-01-01T00:00:00Z"], "/until", "passed"),
        (["id": "a b"], "/id", "A–Z"),
        (["topic": "com.example.unknown"], "/topic", topic),
        (["send_at": "tomorrow"], "/send_at", "RFC 3339"), (["send_at": 1_800_000_000_000], "/send_at", "milliseconds"),
        (["send_at": "2099-01-31T12:00:00Z"], "/send_at", "366 days"), (["send_at": true], "/send_at", "seconds"),
        (["send_at": 1_800_000_100, "until": 1_800_000_050], "/until", "send_at"), (["dry_run": 1], "/dry_run", "true"),
        (["mod": "visible"], "/mod", "did you mean \"mode\""),
        (["send_at": [:]], "/send_at", "local"), (["send_at": ["local": 9]], "/send_at/local", "string"),
        (["send_at": ["local": "2027-02-30T09:00"]], "/send_at/local", "2027-01-31T09:00"),
        (["send_at": ["local": "2027-01-31T09:00+01:00"]], "/send_at/local", "has a zone"),
        (["send_at": ["local": "2027-01-31T09:00:00Z"]], "/send_at/local", "has a zone"),
        (["send_at": ["local": "2099-01-31T09:00"]], "/send_at/local", "366 days"),
        (["send_at": ["local": "2027-01-31T09:00", "at": 1]], "/send_at/at", "not known here"),
        (
            ["send_at": ["local": "2027-01-31T09:00", "fallback": "Europe/Berlim"]], "/send_at/fallback",
            "did you mean Europe/Berlin"
        ),
        (["send_at": ["local": "2027-01-31T09:00", "passed": "later"]], "/send_at/passed", "skip"),
        (["send_at": ["local": "2027-01-31T09:00"], "until": "2027-01-30T19:00:00Z"], "/until", "send_at"),
        (["send_at": ["local": "2027-01-31T09:00"], "widgets": true], "/widgets", "send_at"),
        (["send_at": ["local": "2001-01-31T09:00"], "widgets": true], "/widgets", "send_at"),
    ]

    @Test("a send is refused with a pointer to the value", arguments: bodies.indices)
    func send(_ index: Int) async throws {
        let (change, pointer, word) = Self.bodies[index]
        try await RunningService.run { service in
            var body = Self.good
            for (key, value) in change { body[key] = value == .null ? nil : value }
            let answer = try await service.call("POST", "/v1/notifications", body: .object(body))
            #expect(answer.status == 422)
            #expect(answer.contentType == "application/problem+json")
            #expect(answer.json["pointer"]?.stringValue == pointer)
            #expect(answer.json["detail"]?.stringValue?.contains(word) == true, "\(answer.json)")
        }
    }

    @Test("a payload that is too large names its largest key and the limit")
    func tooLarge() async throws {
        try await RunningService.run { service in
            let long = JSONValue.string(String(repeating: "x", count: 4000))
            var body = Self.good
            body["payload"] = ["aps": ["alert": "x"], "article": long]
            let answer = try await service.call("POST", "/v1/notifications", body: .object(body))
            #expect(answer.status == 422)
            #expect(answer.json["pointer"] == "/payload/article")
            #expect(answer.json["detail"]?.stringValue?.contains("4096") == true)
        }
    }

    @Test("401 without a key or with a wrong one, 403 without the scope")
    func keys() async throws {
        try await RunningService.run { service in
            let missing = try await service.call("POST", "/v1/notifications", body: .object(Self.good), auth: "")
            #expect(missing.status == 401)
            // By this header an installation tells the service from what stands between them.
            #expect(missing.headers["carillon-problem"] == "unauthorized")
            #expect(missing.json["type"] == "urn:carillon:problem:unauthorized")
            #expect(missing.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
            let last = service.key.last == "0" ? "1" : "0"
            let wrong = try await service.call(
                "POST", "/v1/notifications", body: .object(Self.good), auth: service.key.dropLast() + last)
            #expect(wrong.status == 401)
            let reader = try await service.keys.make(name: "reader", scopes: [.read], apps: [chime])
            let forbidden = try await service.call(
                "POST", "/v1/notifications", body: .object(Self.good), auth: reader.key)
            #expect(forbidden.status == 403)
            #expect(try await service.keys.revoke(reader.record.id))
            service.clock.advance(by: .seconds(1))
            let revoked = try await service.call("GET", "/v1/notifications/x", auth: reader.key)
            #expect(revoked.status == 401)
        }
    }

    @Test("an API key is kept as a hash, never as itself")
    func hashed() async throws {
        try await RunningService.run { service in
            let record = try await service.store.apiKeys().first
            let secret = try #require(service.key.split(separator: "_").last)
            #expect(record?.secretHash.count == 32)
            #expect(record?.secretHash.hexadecimal != String(secret))
        }
    }

    @Test("HEAD answers as GET does, without the body; RFC 9110 §9.3.2")
    func head() async throws {
        try await RunningService.run { service in
            for path in ["/healthz", "/v1/notifications/unknown", "/v2/nothing"] {
                let (get, head) = (try await service.call("GET", path), try await service.call("HEAD", path))
                #expect(head.status == get.status && head.data.isEmpty, "\(path): \(head.status)")
                #expect(head.headers["content-type"] == get.headers["content-type"], "\(path)")
                #expect(head.headers["content-length"] == get.headers["content-length"], "\(path)")
            }
            #expect(try await service.call("HEAD", "/v1/live-activities").status == 405)
        }
    }

    @Test("a member that stands twice is refused by name: two readers would take two different ones")
    func repeated() async throws {
        try await RunningService.run { service in
            for (body, name) in [
                (#"{"to": {"user": "u1"}, "payload": {"aps": {}}, "to": {"user": "u2"}}"#, "to"),
                (#"{"to": {"user": "u1"}, "payload": {"aps": {"badge": 1, "badge": 2}}}"#, "badge"),
            ] {
                let answer = try await service.call("POST", "/v1/notifications", raw: Data(body.utf8))
                #expect(answer.status == 400)
                let detail = answer.json["detail"]?.stringValue
                #expect(detail?.contains("\"\(name)\" stands twice") == true, "\(answer.json)")
            }
        }
    }

    @Test(
        "a number that does not fit its place is no malformed JSON", arguments: ["1.5", "9634999739439525888", "1e99"])
    func numbers(_ number: String) async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            let body =
                #"{"receipts": [{"id": "r", "message": "m", "event": "shown", "at": 1, "revision": \#(number)}]}"#
            let answer = try await service.call("POST", "/v1/receipts", raw: Data(body.utf8), auth: phone.credentials)
            #expect(answer.status == 422, "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains("number") == true, "\(answer.json)")
        }
    }

    @Test("a body with a content coding is refused with 415 and the codings that are accepted")
    func coding() async throws {
        try await RunningService.run { service in
            let answer = try await service.call(
                "POST", "/v1/notifications", raw: Data([0x1f, 0x8b]), headers: ["Content-Encoding": "gzip"])
            #expect(answer.status == 415 && answer.json["type"] == "urn:carillon:problem:content-coding")
            #expect(answer.headers["accept-encoding"] == "identity")
            let plain = try await service.call(
                "POST", "/v1/notifications", body: .object(Self.good), headers: ["Content-Encoding": "identity"])
            #expect(plain.status == 202)
        }
    }

    @Test("404, 405, 413 and malformed JSON are problem documents too")
    func others() async throws {
        try await RunningService.run { service in
            let nowhere = try await service.call("GET", "/v2/nothing")
            #expect(nowhere.status == 404)
            #expect(nowhere.json["type"] == "urn:carillon:problem:no-such-path")
            let unknown = try await service.call("GET", "/v1/notifications/unknown")
            #expect(unknown.json["type"] == "urn:carillon:problem:no-such-message")
            let method = try await service.call("PUT", "/v1/notifications", body: [:])
            #expect(method.status == 405)
            #expect(method.headers["allow"] == "GET, HEAD, POST")
            let large = try await service.call(
                "POST", "/v1/notifications", raw: Data(repeating: 0x20, count: 64 * 1024 + 1))
            #expect(large.status == 413)
            #expect(large.json["detail"]?.stringValue?.contains("64 KiB") == true)
            let broken = try await service.call("POST", "/v1/notifications", raw: Data("{".utf8))
            #expect(broken.status == 400)
            #expect(broken.json["type"] == "urn:carillon:problem:malformed-json")
        }
    }

    @Test("the same Idempotency-Key and body get the same answer, another body gets 409")
    func idempotency() async throws {
        try await RunningService.run { service in
            let headers = ["Idempotency-Key": "order-1"]
            let first = try await service.call(
                "POST", "/v1/notifications", body: .object(Self.good), headers: headers)
            let again = try await service.call(
                "POST", "/v1/notifications", body: .object(Self.good), headers: headers)
            #expect(first.status == 202)
            #expect(again.data == first.data)
            var other = Self.good
            other["mode"] = "silent"
            let conflict = try await service.call(
                "POST", "/v1/notifications", body: .object(other), headers: headers)
            #expect(conflict.status == 409)
        }
    }

    @Test("a sign-in token of another app, another secret or another time binds nobody")
    func signIn() async throws {
        try await RunningService.run { service in
            let good = RunningService.signInSecret
            let later = noon + .seconds(60)
            let tokens = [
                try SignInToken.make(user: "u1", topic: ferry.topic, issued: noon, expires: later, secret: good),
                try SignInToken.make(
                    user: "u1", topic: topic, issued: noon, expires: later, secret: Data(count: 32)),
                try SignInToken.make(
                    user: "u1", topic: topic, issued: noon - .seconds(60), expires: noon, secret: good),
                "nonsense",
            ]
            for token in tokens {
                let body: JSONValue = [
                    "installation": "phone", "secret": .string(String(repeating: "ab", count: 32)),
                    "topic": .string(topic), "environment": "sandbox", "token": "aa", "permission": "authorized",
                    "sign_in_token": .string(token),
                ]
                let answer = try await service.call("POST", "/v1/devices", body: body, auth: "")
                #expect(answer.status == 422)
                #expect(answer.json["pointer"] == "/sign_in_token")
            }
        }
    }

    @Test(
        "a body that is nested too deeply, or with a text that no person wrote, is refused before it is decoded",
        arguments: [
            (String(repeating: "[", count: 700) + String(repeating: "]", count: 700), "32 levels"),
            (#"{"to": {"user": "a\u0000"}}"#, "NUL"), (#"{"to": {"user": "\ud800"}}"#, "surrogate"),
        ])
    func shape(_ body: String, _ word: String) async throws {
        try await RunningService.run { service in
            for (path, auth) in [("/v1/notifications", service.key), ("/v1/devices", "")] {
                let answer = try await service.call("POST", path, raw: Data(body.utf8), auth: auth)
                #expect(answer.status == 400)
                #expect(answer.json["detail"]?.stringValue?.contains(word) == true, "\(answer.json)")
            }
        }
    }

    /// Bad changes, each with the problem's pointer.
    private static let changes: [(JSONValue, String)] = [
        (["permission": "loud"], "/permission"), (["locale": 5], "/locale"),
        (["locale": .string(String(repeating: "x", count: 65))], "/locale"),
        (["tags": ["news", ""]], "/tags/1"), (["tags": .array(Array(repeating: "x", count: 33))], "/tags"),
        (["environment": "moon"], "/environment"), (["token": "x"], "/token"),
    ]

    @Test("an installation speaks for itself only, with its own secret")
    func installations() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            let tablet = TestPhone("tablet", on: service)
            try await phone.register()
            try await tablet.register()
            let other = try await service.call("GET", "/v1/devices/tablet/sync", auth: phone.credentials)
            #expect(other.status == 403)
            let wrong = try await service.call("GET", "/v1/devices/phone/sync", auth: "phone:\(tablet.secret)")
            #expect(wrong.status == 401)
            let change: JSONValue = ["permission": "denied", "tags": ["news"]]
            let patched = try await service.call("PATCH", "/v1/devices/phone", body: change, auth: phone.credentials)
            #expect(patched.status == 200)
            #expect(try await service.store.device("phone")?.facts.permission == .denied)
            #expect(try await service.store.device("phone")?.facts.tags == ["news"])
            for (change, pointer) in Self.changes {
                let refused = try await service.call(
                    "PATCH", "/v1/devices/phone", body: change, auth: phone.credentials)
                #expect(refused.status == 422 && refused.json["pointer"]?.stringValue == pointer, "\(refused.json)")
                #expect(refused.json["detail"]?.stringValue?.contains("PermissionState") == false, "\(refused.json)")
            }
            #expect(try await service.store.device("phone")?.facts.permission == .denied)
        }
    }
}
