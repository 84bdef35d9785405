import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Lists of messages and recipients, over HTTP", .timeLimit(.minutes(3)))
struct ListAPITests {
    private static let body: JSONValue = ["to": ["user": "u"], "payload": ["aps": ["alert": ["title": "Störung 🎉"]]]]

    @Test("a message is listed with its title and its report; its recipient with what the phone has told")
    func story() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let sent = try await service.call("POST", "/v1/notifications", body: Self.body)
            let id = try #require(sent.json["id"]?.stringValue)
            _ = await watch.next(.accepted, of: id, on: "phone")
            let list = try await service.call("GET", "/v1/notifications?user=u&state=sent&limit=1")
            let entry = try #require(list.json["notifications"]?.arrayValue?.first, "\(list.json)")
            #expect(entry["title"] == "Störung 🎉" && entry["counts"]?["accepted"] == 1, "\(entry)")
            let report = try await service.call("GET", "/v1/notifications/\(id)").json
            var members = entry.members ?? JSONObject()
            members["title"] = nil
            #expect(JSONValue.object(members) == report)
            let recipients = try await service.call("GET", "/v1/notifications/\(id)/recipients?group=not_shown").json
            #expect(
                recipients["recipients"] == [["device": "phone", "user": "u", "state": "accepted", "receipts": []]],
                "\(recipients)")
            let shown = try await service.call("GET", "/v1/notifications/\(id)/recipients?group=shown").json
            #expect(shown["recipients"] == [] && shown["next"] == nil)
        }
    }

    @Test("messages by the kind of their audience")
    func audiences() async throws {
        try await RunningService.run(roles: [.api]) { service in
            for (id, audience) in [
                ("u", ["user": "u"]), ("d", ["devices": ["d"]]), ("all", ["everyone": true]),
                ("where", ["where": "tag:vip"]),
            ] as [(String, JSONValue)] {
                let sent = try await service.call(
                    "POST", "/v1/notifications",
                    body: ["id": .string(id), "to": audience, "payload": ["aps": ["alert": "Goal"]]])
                #expect(sent.status == 202, "\(sent.json)")
            }
            func ids(_ kind: String) async throws -> [String] {
                let list = try await service.call("GET", "/v1/notifications?audience=\(kind)").json
                return (list["notifications"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            }
            #expect(try await ids("named") == ["d", "u"])
            #expect(try await ids("everyone") == ["all"])
            #expect(try await ids("condition") == ["where"])
        }
    }

    @Test("a backend sees its own app's messages only, and needs the scope read")
    func scope() async throws {
        try await RunningService.run(roles: [.api]) { service in
            _ = try await service.call("POST", "/v1/notifications", body: Self.body)
            for path in ["/v1/notifications", "/v1/notifications/m/recipients"] {
                #expect(try await service.call("GET", path, auth: "").status == 401)
            }
            let empty = try await service.call("GET", "/v1/notifications?user=nobody")
            #expect(empty.status == 200 && empty.json == ["notifications": []], "\(empty.json)")
            let missing = try await service.call("GET", "/v1/notifications/none/recipients")
            #expect(missing.status == 404 && missing.json["title"] == "There is no such message")
        }
    }

    @Test(
        "what cannot be read in the query is refused with its name",
        arguments: [
            ("?state=send", "state has the unknown value \"send\"; did you mean sent; known are accepted, "),
            ("?state=", "state has the unknown value"), ("?state=sent,", "state has the unknown value \"\""),
            ("?limit=0", "limit must be a number from 1 to 100"), ("?limit=101", "limit must"),
            ("?limit=ten", "limit must"), ("?after=a%20b", "after must be the next"), ("?after=gone", "after must be"),
            ("?accepted_since=yesterday", "accepted_since must be a time such as"), ("?id=", "id must have 1 to 64"),
            ("?user=%00", "user must have 1 to"), ("?audience=all", "audience has the unknown value"),
            ("?audience=named,everyone", "audience must be one"),
            ("?stat=sent", "stat is not known here; did you mean state"),
        ])
    func refused(_ query: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let answer = try await service.call("GET", "/v1/notifications\(query)")
            #expect(answer.status == 400, "\(answer.status) \(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.hasPrefix(words) == true, "\(answer.json)")
        }
    }
}

@Suite("Lists of devices, over HTTP", .timeLimit(.minutes(3)))
struct DeviceListAPITests {
    private static func ids(_ answer: RunningService.Answer) -> [String] {
        (answer.json["devices"]?.arrayValue ?? []).compactMap { $0["installation"]?.stringValue }
    }

    @Test("each device once, the newest first, by state, tag and user, without tokens and of the own app only")
    func list() async throws {
        try await RunningService.run(roles: [.api]) { service in
            for number in 1...5 {
                let tags = number.isMultiple(of: 2) ? ["even"] : []
                let one = device("d\(number)", user: number == 3 ? "u/3" : nil, tags: tags)
                try await service.store.enrol(one, at: noon)
            }
            try await service.store.enrol(device("other", app: ferry), at: noon)
            _ = try await service.store.register(device("unconfirmed", user: "u/3"), at: noon)
            var (found, next): ([String], String?) = ([], "")
            while let mark = next {
                let page = try await service.call("GET", "/v1/devices?limit=2\(mark.isEmpty ? "" : "&after=\(mark)")")
                #expect(page.status == 200 && !String(decoding: page.data, as: UTF8.self).contains("secret"))
                found += Self.ids(page)
                next = page.json["next"]?.stringValue
            }
            #expect(found == ["d5", "d4", "d3", "d2", "d1"])
            #expect(try await Self.ids(service.call("GET", "/v1/devices?tag=even")) == ["d4", "d2"])
            #expect(try await Self.ids(service.call("GET", "/v1/devices?user=u/3")) == ["unconfirmed", "d3"])
            #expect(try await Self.ids(service.call("GET", "/v1/devices?state=quarantined,superseded")) == [])
            #expect(try await Self.ids(service.call("GET", "/v1/devices?state=active&tag=even")) == ["d4", "d2"])
        }
    }

    @Test("the messages of a device with what became of each, also of broadcasts in bits; of the own app only")
    func messages() async throws {
        let ranged = try await StoreEngine.sqlite.make(ranges: RangeRules(devices: 4, chunkDevices: 8))
        try await RunningService.run(store: ranged, roles: [.api]) { service in
            let store = service.store
            for number in 1...6 {
                try await store.enrol(device("d\(number)", user: "u", tags: number < 3 ? ["vip"] : []), at: noon)
            }
            try await store.enrol(device("other", app: ferry), at: noon)
            for number in 1...3 {
                _ = try await store.accept(
                    try message("n\(number)", to: .devices(["d1"]), text: "Hello \(number)", counts: false), at: noon)
                _ = try await store.accept(
                    try message("x\(number)", to: .devices(["d2"]), counts: false), at: noon)
            }
            _ = try await store.accept(try message("all", to: .everyone, counts: false), at: noon)
            let vip = Audience.matching(try AudienceParser.parse("tag:vip"))
            _ = try await store.accept(try message("vip", to: vip, counts: false), at: noon)
            while try await !store.deliverAll().isEmpty {}
            _ = try await store.accept(try message("last", to: .users(["u"]), counts: false), at: noon)
            let push = try #require(
                try await store.claim(everything(), at: noon).deliveries.first { $0.device == "d1" })
            try await store.settle([push.settled(rejected("PayloadTooLarge", 413))], at: noon)
            for event in [ReceiptEvent.shown, .opened] {
                _ = try await store.record([receipt(event, "all")], from: "d1", at: noon)
            }
            func all(_ id: String) async throws -> [[String]] {
                var (found, next): ([[String]], String?) = ([], "")
                while let mark = next {
                    let query = "?limit=2\(mark.isEmpty ? "" : "&after=\(mark)")"
                    let page = try await service.call("GET", "/v1/devices/\(id)/notifications\(query)")
                    #expect(page.status == 200 && page.json["id"] == .string(id), "\(page.json)")
                    for entry in page.json["notifications"]?.arrayValue ?? [] {
                        let receipts = (entry["receipts"]?.arrayValue ?? []).compactMap(\.stringValue)
                        found.append(
                            ["id", "state", "reason"].compactMap { entry[$0]?.stringValue } + receipts)
                    }
                    next = page.json["next"]?.stringValue
                }
                return found
            }
            #expect(
                try await all("d1") == [
                    ["last", "rejected", "PayloadTooLarge"], ["vip", "accepted"],
                    ["all", "accepted", "shown", "opened"], ["n3", "accepted"], ["n2", "accepted"], ["n1", "accepted"],
                ])
            #expect(try await all("d6").map(\.first) == ["last", "all"])
            let first = try await service.call("GET", "/v1/devices/d1/notifications").json["notifications"]
            #expect(first?.arrayValue?.last?["title"] == "Hello 1", "\(first ?? .null)")
            for (path, status) in [("other", 404), ("none", 404), ("d1/notifications?after=x", 400)] {
                let path = path.contains("/") ? path : "\(path)/notifications"
                #expect(try await service.call("GET", "/v1/devices/\(path)").status == status, "\(path)")
            }
        }
    }

    @Test(
        "what cannot be read in the query is refused with its name",
        arguments: [
            ("?state=activ", "state has the unknown value \"activ\"; did you mean active"),
            ("?after=x", "after must be"), ("?after=01", "after must be"), ("?after=0", "after must be"),
            ("?tag=", "tag must have 1 to 64"), ("?limit=0", "limit must"), ("?id=x", "id is not known here"),
        ])
    func refused(_ query: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let answer = try await service.call("GET", "/v1/devices\(query)")
            #expect(answer.status == 400, "\(answer.status) \(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.hasPrefix(words) == true, "\(answer.json)")
        }
    }
}
