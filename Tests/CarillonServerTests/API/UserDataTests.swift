import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A backend gets all that is kept of a user", .serialized, .timeLimit(.minutes(3)))
struct UserDataTests {
    /// Sends a message for Zoë alone and one for two users, and lets Zoë answer the first.
    private func prepare(_ service: RunningService) async throws {
        var watch = try #require(EventWatch(service.service.events))
        let phone = TestPhone("phone", on: service)
        try await phone.register(user: "zoë")
        try await TestPhone("other", on: service).register(user: "u2")
        try await TestPhone("there", on: service, app: ferry).register(user: "zoë")
        let messages: [(String, JSONValue)] = [
            ("own", ["users": ["zoë": ["name": "Zoë"]]]), ("shared", ["users": ["zoë", "u2"]]),
            ("others", ["users": ["u2"]]),
        ]
        for (id, to) in messages {
            let text: JSONValue = id == "own" ? "Hello {{name}}" : "for two"
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": to, "id": .string(id), "keep_replies": true, "payload": ["aps": ["alert": text]]])
            _ = await watch.next(.accepted, of: id, on: id == "others" ? "other" : "phone")
        }
        let reply: JSONValue = [
            "id": "r", "message": "own", "event": "acted", "at": .string(noon.description), "detail": "REPLY",
            "reply": "see you",
        ]
        _ = try await service.call("POST", "/v1/receipts", body: ["receipts": [reply]], auth: phone.credentials)
        _ = try await service.call("POST", "/v1/users/zo%C3%AB/read", body: ["messages": ["shared"]])
    }

    @Test("installations, texts, timelines and replies; after an erasure nothing", arguments: StoreEngine.allCases)
    func data(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        try await RunningService.run(store: store) { service in
            try await prepare(service)
            let answer = try await service.call("GET", "/v1/users/zo%C3%AB")
            #expect(answer.status == 200 && answer.json["user"] == "zoë" && answer.json["next"] == nil)
            #expect(answer.json["devices"]?.arrayValue?.map { $0["installation"] } == ["phone"], "of this app")
            let messages = try #require(answer.json["messages"]?.arrayValue)
            #expect(messages.map { $0["id"] } == ["own", "shared"])
            #expect(messages.first?["payload"]?["aps"]?["alert"] == "Hello Zoë")
            #expect(messages.map { $0["in_inbox"] } == [true, true])
            #expect(messages.map { $0["read_at"] != nil } == [false, true])
            #expect(messages.map { $0["devices"]?.arrayValue?.map { $0["device"] } } == [["phone"], ["phone"]])
            let events = messages.first?["devices"]?.arrayValue?.first?["events"]?.arrayValue ?? []
            #expect(events.first { $0["event"] == "acted" }?["reply"] == "see you", "\(events)")
            #expect(try await service.call("DELETE", "/v1/users/zo%C3%AB").json["remaining"] == 0)
            let left = try await service.call("GET", "/v1/users/zo%C3%AB")
            #expect(left.json["devices"] == [] && left.json["messages"] == [])
        }
    }

    @Test("page by page, with the installations on the first; an unknown page is refused")
    func pages() async throws {
        try await RunningService.run { service in
            try await prepare(service)
            let first = try await service.call("GET", "/v1/users/zo%C3%AB?limit=1")
            #expect(first.json["messages"]?.arrayValue?.map { $0["id"] } == ["own"] && first.json["next"] == "own")
            let second = try await service.call("GET", "/v1/users/zo%C3%AB?limit=1&after=own")
            #expect(second.json["messages"]?.arrayValue?.map { $0["id"] } == ["shared"])
            #expect(second.json["next"] == nil && second.json["devices"] == nil)
            for query in ["after=gone", "after=%20", "limit=0", "limit=1001", "page=2"] {
                #expect(try await service.call("GET", "/v1/users/zo%C3%AB?\(query)").status == 400, "\(query)")
            }
        }
    }
}
