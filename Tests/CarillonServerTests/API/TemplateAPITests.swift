import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("/v1/templates", .timeLimit(.minutes(3)))
struct TemplateAPITests {
    private static let shipped: JSONValue = [
        "payload": [
            "aps": ["alert": ["title": "{{shop|Our shop}}", "body": "Order {{order}} is on its way"]],
            "link": "/orders/{{order}}",
        ],
        "localized": ["de": ["body": "Bestellung {{order}} ist unterwegs"]], "campaign": "orders",
    ]

    /// Runs with a key that may change templates, and with one that sends.
    private static func run(
        _ sender: RecordingSender = RecordingSender(), roles: Set<ServiceConfiguration.Role> = [.api],
        _ body: @Sendable (RunningService, _ admin: String) async throws -> Void
    ) async throws {
        try await RunningService.run(sender: sender, roles: roles) { service in
            let keys = APIKeys(in: service.store.keys, clock: service.clock, random: .system, by: AuditActor("test"))
            try await body(service, try await keys.make(name: "admin", scopes: [.read, .admin], apps: [chime]).key)
        }
    }

    @Test("a template in two languages is stored, shown for a user, and sent; a phone gets the filled text")
    func story() async throws {
        let sender = RecordingSender()
        try await Self.run(sender, roles: [.api, .sender]) { service, admin in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            _ = try await service.call(
                "PATCH", "/v1/devices/phone", body: ["locale": "de-DE"], auth: phone.credentials)
            let stored = try await service.call("PUT", "/v1/templates/order-shipped", body: Self.shipped, auth: admin)
            #expect(stored.status == 200 && stored.json["version"] == 1, "\(stored.json)")
            let shown = try await service.call(
                "POST", "/v1/templates/order-shipped/render", body: ["with": ["order": 4711], "user": "u"])
            #expect(shown.json["language"] == "de", "\(shown.json)")
            #expect(shown.json["payload"]?["aps"]?["alert"]?["body"] == "Bestellung 4711 ist unterwegs")
            #expect(shown.json["payload"]?["link"] == "/orders/4711" && (shown.json["bytes"]?.intValue ?? 0) > 100)
            let sent = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u"], "template": "order-shipped", "with": ["order": "{{4711", "shop": ""]])
            #expect(sent.status == 202, "\(sent.json)")
            _ = await watch.next(.accepted, of: sent.json["id"]?.stringValue ?? "", on: "phone")
            let push = try #require(sender.pushes.last).json
            #expect(
                push["aps"]?["alert"] == ["title": "Our shop", "body": "Bestellung {{4711 ist unterwegs"], "\(push)")
            #expect(push["link"] == "/orders/{{4711")
            let report = try await service.call("GET", "/v1/notifications/\(sent.json["id"]?.stringValue ?? "")").json
            #expect(report["campaign"] == "orders")
        }
    }

    @Test(
        "each recipient's values go before those for all; an own member before the template's; a repetition sends once")
    func values() async throws {
        try await Self.run { service, admin in
            _ = try await service.call("PUT", "/v1/templates/t", body: Self.shipped, auth: admin)
            for user in ["u", "v"] {
                let phone = TestPhone(user, on: service)
                try await phone.register(user: user)
            }
            let body: JSONValue = [
                "id": "m", "to": ["users": ["u": ["order": "1"], "v": [:]]], "template": ["name": "t", "version": 1],
                "with": ["order": "0", "shop": "Ferrum"], "campaign": "own",
            ]
            let sent = try await service.call("POST", "/v1/notifications", body: body)
            #expect(sent.status == 202, "\(sent.json)")
            var other = Self.shipped.members ?? JSONObject()
            other["mode"] = "silent"
            let changed = try await service.call("PUT", "/v1/templates/t", body: .object(other), auth: admin)
            #expect(changed.json["version"] == 2)
            let again = try await service.call("POST", "/v1/notifications", body: body)
            #expect(again.json == sent.json, "what was asked is equal, whatever has become of the template")
            let number = try #require(
                try await service.store.read {
                    try $0.row("SELECT number FROM messages WHERE id = 'm'")?["number"] as Int64?
                })
            let values = try await service.store.read { session in
                try session.rows("SELECT \"values\" FROM message_variables WHERE message = ? ORDER BY user", [number])
                    .map {
                        try JSONValue(parsing: Data(($0.text("values") ?? "").utf8))
                    }
            }
            #expect(values == [["order": "1", "shop": "Ferrum"], ["order": "0", "shop": "Ferrum"]])
            #expect(try await service.call("GET", "/v1/notifications/m").json["campaign"] == "own")
        }
    }

    @Test("a value is shown as it is, whatever characters begin or end with its braces")
    func literal() throws {
        for value in ["{{zz}}", "\u{600}{{zz|x}}", "{{\u{301}zz}}", "\\{{a", "{", "{{{{", "a {{b}} c"] {
            let filled = try TextTemplate("Hi {{v}}").filled(with: ["v": value])
            let sent = try TextTemplate(TextTemplate.literal(filled))
            #expect(sent.variables.isEmpty && Array(sent.filled(with: [:]).utf8) == Array("Hi \(value)".utf8))
        }
    }

    @Test("a repetition has the first answer, also when the template has changed or is gone; null is as good as absent")
    func repetition() async throws {
        try await Self.run { service, admin in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            _ = try await service.call("PUT", "/v1/templates/t", body: Self.shipped, auth: admin)
            func send(_ id: String?, _ key: String?) async throws -> RunningService.Answer {
                var body: [String: JSONValue] = [
                    "to": ["user": "u"], "template": "t", "with": ["order": "1"], "mode": .null, "payload": .null,
                ]
                if let id { body["id"] = .string(id) }
                return try await service.call(
                    "POST", "/v1/notifications", body: .object(JSONObject(body)),
                    headers: key.map { ["Idempotency-Key": $0] } ?? [:])
            }
            let (named, keyed) = (try await send("m", nil), try await send(nil, "k"))
            #expect(named.status == 202 && keyed.status == 202, "\(named.json) \(keyed.json)")
            var other = Self.shipped.members ?? JSONObject()
            other["payload"] = ["aps": ["alert": "{{new}}"]]
            _ = try await service.call("PUT", "/v1/templates/t", body: .object(other), auth: admin)
            #expect(try await send("m", nil).json == named.json)
            #expect(try await send(nil, "k").json == keyed.json)
            #expect(try await send("n", nil).json["pointer"] == "/with")
            _ = try await service.call("DELETE", "/v1/templates/t", auth: admin)
            #expect(try await send("m", nil).json == named.json)
            #expect(try await send(nil, "k").json == keyed.json)
            #expect(try await send(nil, "l").json["pointer"] == "/template")
        }
    }

    @Test("users with values of their own get of those for all what their texts need, and not too much")
    func shared() async throws {
        try await Self.run { service, admin in
            _ = try await service.call("PUT", "/v1/templates/t", body: Self.shipped, auth: admin)
            func send(_ users: Int, _ order: String) async throws -> RunningService.Answer {
                let own = JSONObject(Dictionary(uniqueKeysWithValues: (0..<users).map { ("u\($0)", [:] as JSONValue) }))
                return try await service.call(
                    "POST", "/v1/notifications",
                    body: [
                        "to": ["users": .object(own)], "template": "t",
                        "with": ["order": .string(order), "unused": .string(String(repeating: "x", count: 500))],
                    ])
            }
            #expect(try await send(3, "1").status == 202)
            let stored = try await service.store.read {
                try $0.rows("SELECT \"values\" FROM message_variables").compactMap { $0.text("values") }
            }
            #expect(stored == Array(repeating: #"{"order":"1"}"#, count: 3), "\(stored)")
            let large = try await send(900, String(repeating: "x", count: 1200))
            #expect(large.status == 422 && large.json["pointer"] == "/with", "\(large.json)")
        }
    }

    @Test("versions: equal content makes none, an older one comes back, another's change is not overwritten")
    func versions() async throws {
        try await Self.run { service, admin in
            func put(_ text: String, _ match: String? = nil) async throws -> RunningService.Answer {
                try await service.call(
                    "PUT", "/v1/templates/t", body: ["payload": ["aps": ["alert": .string(text)]]], auth: admin,
                    headers: match.map { ["If-Match": $0] } ?? [:])
            }
            #expect(try await put("one").json["version"] == 1)
            #expect(try await put("one").json["version"] == 1)
            #expect(try await put("two", "\"1\"").json["version"] == 2)
            #expect(try await put("three", "\"1\"").status == 412)
            let back = try await service.call("POST", "/v1/templates/t/revert", body: ["version": 1], auth: admin)
            #expect(back.json["version"] == 3 && back.json["message"]?["payload"]?["aps"]?["alert"] == "one")
            let versions = try await service.call("GET", "/v1/templates/t/versions").json["versions"]?.arrayValue ?? []
            #expect(versions.map { $0["version"] } == [3, 2, 1] && versions[0]["message"] == nil)
            let old = try await service.call("GET", "/v1/templates/t?version=2").json
            #expect(old["message"]?["payload"]?["aps"]?["alert"] == "two")
            for version in 4...(StoreLimits.templateVersions + 2) { _ = try await put("\(version)") }
            #expect(try await service.call("GET", "/v1/templates/t?version=2").status == 404)
            #expect(try await service.call("GET", "/v1/templates/t?version=3").status == 200)
            _ = try await service.call("PUT", "/v1/templates/a", body: Self.shipped, auth: admin)
            let page = try await service.call("GET", "/v1/templates?limit=1").json
            #expect(page["templates"]?.arrayValue?.first?["name"] == "a" && page["next"] == "a")
            let rest = try await service.call("GET", "/v1/templates?after=a").json
            #expect(rest["templates"]?.arrayValue?.compactMap { $0["name"] } == ["t"] && rest["next"] == nil)
            #expect(try await service.call("DELETE", "/v1/templates/t", auth: admin).status == 204)
            #expect(try await service.call("DELETE", "/v1/templates/t", auth: admin).status == 404)
            let gone = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["user": "u"], "template": "t"])
            #expect(gone.status == 422 && gone.json["pointer"] == "/template", "\(gone.json)")
        }
    }

    @Test(
        "what a template cannot have is refused with its place when it is stored",
        arguments: [
            ([:], "/payload", "is missing"), (["payload": ["aps": [:]]], "/payload/aps", "shows nothing"),
            (["payload": ["aps": ["alert": "{{or der}}"]]], "/payload/aps/alert", "{{or der}}"),
            (["payload": ["aps": ["alert": "a"], "link": "{{"]], "/payload/link", "{{"),
            (["payload": ["aps": ["alert": "a"]], "to": ["user": "u"]], "/to", "is not a member of a template"),
            (["payload": ["aps": ["alert": "a"]], "mod": "silent"], "/mod", "did you mean \"mode\""),
            (["payload": ["aps": ["alert": "a"]], "until": 2_000_000_000], "/until", "can only be \"now\""),
            (["payload": ["aps": ["alert": "a"]], "localized": ["german": ["body": "b"]]], "/localized/german", ""),
        ] as [(JSONValue, String, String)])
    func refused(_ body: JSONValue, _ pointer: String, _ words: String) async throws {
        try await Self.run { service, admin in
            let answer = try await service.call("PUT", "/v1/templates/t", body: body, auth: admin)
            #expect(answer.status == 422 && answer.json["pointer"]?.stringValue == pointer, "\(answer.json)")
            #expect(words.isEmpty || answer.json["detail"]?.stringValue?.contains(words) == true, "\(answer.json)")
            #expect(try await service.call("GET", "/v1/templates/t").status == 404)
        }
    }

    @Test(
        "what a request with a template lacks is refused before anything goes out",
        arguments: [
            (["template": "t"], "/with", "no value for \"order\", which /payload/aps/alert/body"),
            (["template": "t", "with": ["ordr": "1"]], "/with", "did you mean \"ordr\""),
            (["template": "t", "with": ["order": [1]]], "/with/order", "must be a text"),
            (["template": "none"], "/template", "there is no template \"none\""),
            (["template": ["name": "t", "version": 9]], "/template", "version 9"),
            (["template": "t", "payload": ["aps": ["alert": "a"]]], "/payload", "does not go with a template"),
            (["with": ["order": "1"], "payload": ["aps": ["alert": "a"]]], "/with", "names none"),
            (["template": "two words"], "/template", "must have 1 to 64"),
            (["template": "t", "to": ["users": ["u": [:]]]], "/with", "/payload/link"),
        ] as [(JSONValue, String, String)])
    func lacking(_ body: JSONValue, _ pointer: String, _ words: String) async throws {
        try await Self.run { service, admin in
            _ = try await service.call("PUT", "/v1/templates/t", body: Self.shipped, auth: admin)
            var members = body.members ?? JSONObject()
            if members["to"] == nil { members["to"] = ["user": "u"] }
            let answer = try await service.call("POST", "/v1/notifications", body: .object(members))
            #expect(answer.status == 422 && answer.json["pointer"]?.stringValue == pointer, "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains(words) == true, "\(answer.json)")
            #expect(try await service.call("GET", "/v1/notifications").json == ["notifications": []])
        }
    }
}
