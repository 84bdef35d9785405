import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("/v1/live-activities", .timeLimit(.minutes(3)))
struct LiveActivityAPITests {
    private static let start: JSONValue = [
        "id": "match-7", "to": ["user": "u"], "attributes-type": "MatchAttributes",
        "attributes": ["match": "match-7", "home": "Ferrum"], "content-state": ["goals": 0],
        "alert": ["title": "Ferrum", "body": "It begins."],
    ]

    /// The body of a start with other members; `null` leaves a member out.
    private static func start(_ members: [String: JSONValue]) -> JSONValue {
        .object((start.objectValue ?? [:]).merging(members) { $1 }.filter { $0.value != .null })
    }

    @Test("a phone registers its tokens, and the Live Activity is started, shown, updated and ended")
    func story() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let tokens: JSONValue = [["type": "MatchAttributes", "token": "aabb"]]
            let path = "/v1/devices/phone"
            #expect(
                try await service.call(
                    "PATCH", path, body: ["live_activities": tokens], auth: phone.credentials
                ).status == 200)
            let started = try await service.call("POST", "/v1/live-activities", body: Self.start)
            #expect(started.status == 202 && started.json["devices"] == 1, "\(started.json)")
            #expect(started.json["revision"] == 1 && started.json["state"] == "running")
            let both: JSONValue = [
                ["type": "MatchAttributes", "token": "aabb"],
                ["type": "MatchAttributes", "id": "match-7", "token": "ccdd"],
            ]
            _ = try await service.call("PATCH", path, body: ["live_activities": both], auth: phone.credentials)
            let activity = "/v1/live-activities/match-7"
            let updated = try await service.call("PATCH", activity, body: ["content-state": ["goals": 1]])
            #expect(updated.status == 202 && updated.json["revision"] == 2, "\(updated.json)")
            while try await service.call("GET", activity).json["phones"] != ["current": 1] { await Task.yield() }
            let ended = try await service.call("DELETE", activity)
            #expect(ended.status == 202 && ended.json["content-state"] == ["goals": 1], "\(ended.json)")
            while try await service.call("GET", activity).json["phones"] != ["ended": 1] { await Task.yield() }
            let late = try await service.call("PATCH", activity, body: ["content-state": ["goals": 2]])
            #expect(late.status == 409 && late.json["detail"]?.stringValue?.contains("has ended") == true)
        }
    }

    @Test(
        "what cannot be started is refused with its place and what to do",
        arguments: [
            (["id": .null], "/id", "is missing"), (["id": "Spiel ⚽"], "/id", "is made of"),
            (["id": "é"], "/id", "is made of"), (["to": .null], "/to", "is missing"),
            (["to": ["users": ["u": ["name": "Ada"]]]], "/to/users", "no texts with variables"),
            (["attributes-type": ""], "/attributes-type", "has 1 to 128 bytes"),
            (["attributes": [:]], "/attributes", #"no attribute is "match-7""#),
            (["attributes": ["match": 7]], "/attributes", "no attribute is"),
            (["content-state": [1]], "/content-state", "must be an object"),
            (["alert": .null], "/alert", "is missing"), (["alert": ["sound": "x"]], "/alert", "says nothing"),
            (["stale-date": 1_000_000_000], "/stale-date", "has passed"),
            (["stale-date": 1_800_000_000_000], "/stale-date", "in milliseconds"),
            (["relevance-score": "1"], "/relevance-score", "must be a number"),
            (["dismissal-date": 1], "/dismissal-date", "is not known here"),
            (["topic": "com.example.other"], "/topic", "not for"),
            (["content-state": ["text": .string(String(repeating: "x", count: 4096))]], "", "APNs accepts 4096"),
        ] as [([String: JSONValue], String, String)])
    func refused(_ members: [String: JSONValue], _ pointer: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let answer = try await service.call("POST", "/v1/live-activities", body: Self.start(members))
            #expect(answer.status == 422, "\(answer.json)")
            #expect(answer.json["pointer"]?.stringValue ?? "" == pointer, "\(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.contains(words) == true, "\(answer.json)")
        }
    }

    @Test("an update that would be too large for a start is refused, and changes nothing")
    func tooLarge() async throws {
        try await RunningService.run(roles: [.api]) { service in
            _ = try await service.call("POST", "/v1/live-activities", body: Self.start)
            let path = "/v1/live-activities/match-7"
            let long = JSONValue.string(String(repeating: "ü", count: 1990))
            let answer = try await service.call("PATCH", path, body: ["content-state": ["text": long]])
            #expect(answer.status == 422 && answer.json["pointer"] == "/content-state", "\(answer.json)")
            #expect(try await service.call("GET", path).json["revision"] == 1)
            let none = try await service.call("PATCH", path, body: [:])
            #expect(none.status == 422 && none.json["pointer"] == "/content-state", "\(none.json)")
            #expect(try await service.call("PATCH", path, body: ["content-state": [:]]).status == 202)
            for priority in [1, 7, "5", 5.5, true] as [JSONValue] {
                let wrong = try await service.call("PATCH", path, body: ["content-state": [:], "priority": priority])
                #expect(wrong.status == 422 && wrong.json["pointer"] == "/priority", "\(wrong.json)")
            }
            let calm = try await service.call("PATCH", path, body: ["content-state": [:], "priority": 5])
            #expect(calm.status == 202 && calm.json["revision"] == 3, "\(calm.json)")
            let metrics = String(decoding: try await service.call("GET", "/metrics").data, as: UTF8.self)
            for (change, count) in [("start", 1), ("update", 2), ("end", 0)] {
                let labels = #"{app="com.example.chime",change="\#(change)"}"#
                let line = "carillon_live_activity_changes_total\(labels) \(count)"
                #expect(metrics.contains(line), "\(change)")
            }
            for name in ["nothing", "a%20b"] {
                let missing = try await service.call("GET", "/v1/live-activities/\(name)")
                #expect(missing.status == 404 && missing.json["title"] == "There is no such Live Activity")
            }
        }
    }

    @Test(
        "tokens that cannot be kept are refused",
        arguments: [
            ([["type": "", "token": "aa"]], "/live_activities/0/type"),
            ([["type": "M", "id": "ä", "token": "aa"]], "/live_activities/0/id"),
            ([["type": "M", "token": "aa"], ["type": "M", "token": "bb"]], "/live_activities/1"),
            ([["type": "M", "token": "no"]], "/live_activities/0/token"),
            (.array((0...64).map { ["type": .string("M\($0)"), "token": "aa"] }), "/live_activities"),
        ] as [(JSONValue, String)])
    func tokens(_ tokens: JSONValue, _ pointer: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            let answer = try await service.call(
                "PATCH", "/v1/devices/phone", body: ["live_activities": tokens], auth: phone.credentials)
            #expect(answer.status == 422 && answer.json["pointer"]?.stringValue == pointer, "\(answer.json)")
        }
    }

    @Test("a phone reports receipts, gets the newest states, and the backend sees both")
    func receipts() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let tokens: JSONValue = [["type": "MatchAttributes", "id": "match-7", "token": "ccdd"]]
            _ = try await service.call(
                "PATCH", "/v1/devices/phone", body: ["live_activities": tokens], auth: phone.credentials)
            _ = try await service.call("POST", "/v1/live-activities", body: Self.start)
            func report(_ receipts: [JSONValue]) async throws -> RunningService.Answer {
                try await service.call(
                    "POST", "/v1/devices/phone/live-activities", body: ["receipts": .array(receipts)],
                    auth: phone.credentials)
            }
            let asked = try await report([])
            let state = try #require(asked.json["live_activities"]?.arrayValue?.first, "\(asked.json)")
            #expect(state["id"] == "match-7" && state["content-state"] == ["goals": 0])
            #expect(state["attributes"] == ["match": "match-7", "home": "Ferrum"])
            let stamp = try #require(state["timestamp"])
            let at: JSONValue = "2027-01-31T12:00:00.000Z"
            let told = try await report([
                ["type": "MatchAttributes", "id": "match-7", "event": "updated", "at": at, "timestamp": stamp],
                [
                    "type": "MatchAttributes", "id": "match-7", "event": "undecodable", "at": at, "timestamp": stamp,
                    "detail": "goals\u{1B}[31m must be Int",
                ],
            ])
            #expect(told.status == 200, "\(told.json)")
            let activity = try await service.call("GET", "/v1/live-activities/match-7")
            #expect(activity.json["receipts"] == ["updated": 1, "undecodable": 1], "\(activity.json)")
            let timeline = try await service.call("GET", "/v1/live-activities/match-7/timeline?limit=1")
            let events = timeline.json["phones"]?.arrayValue?.first?["events"]?.arrayValue ?? []
            #expect(events.map { $0["event"] } == ["updated", "undecodable"], "\(timeline.json)")
            #expect(events.last?["detail"] == "goals[31m must be Int" && timeline.json["timestamp"] == stamp)
            for mark in ["?after=x", "?limit=0"] {
                let refused = try await service.call("GET", "/v1/live-activities/match-7/timeline\(mark)")
                #expect(refused.status == 400, "\(refused.json)")
            }
            #expect(try await service.call("GET", "/v1/live-activities/none/timeline").status == 404)
        }
    }

    @Test(
        "a receipt that cannot be kept is refused with its place",
        arguments: [
            (["type": ""], "/receipts/0/type"), (["id": "ä"], "/receipts/0/id"),
            (["detail": .string(String(repeating: "x", count: 201))], "/receipts/0/detail"),
            (["event": "updated"], "/receipts/0/timestamp"),
        ] as [([String: JSONValue], String)])
    func refusedReceipts(_ members: [String: JSONValue], _ pointer: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register()
            let receipt: [String: JSONValue] = [
                "type": "M", "id": "m", "event": "started", "at": "2027-01-31T12:00:00.000Z",
            ]
            func report(_ receipts: [JSONValue]) async throws -> RunningService.Answer {
                try await service.call(
                    "POST", "/v1/devices/phone/live-activities", body: ["receipts": .array(receipts)],
                    auth: phone.credentials)
            }
            let answer = try await report([.object(receipt.merging(members) { $1 })])
            #expect(answer.status == 422 && answer.json["pointer"]?.stringValue == pointer, "\(answer.json)")
            let many = try await report(Array(repeating: .object(receipt), count: 65))
            #expect(many.status == 422 && many.json["pointer"] == "/receipts", "\(many.json)")
        }
    }
}
