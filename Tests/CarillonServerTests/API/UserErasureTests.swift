import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A user can be erased, and it can be proved", .serialized, .timeLimit(.minutes(3)))
struct UserErasureTests {
    @Test("nothing is left that names the user or that only the user was sent, in the database's files too")
    func erased() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let store = Store(try SQLiteEngine(path: path))
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        try await RunningService.run(store: store) { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "user-to-be-forgotten")
            try await TestPhone("other", on: service).register(user: "u2")
            try await TestPhone("there", on: service, app: ferry).register(user: "user-to-be-forgotten")
            for (id, to, text) in [
                ("own", ["user-to-be-forgotten"], "a text that is private"),
                ("shared", ["user-to-be-forgotten", "u2"], "a text for two"),
            ] {
                _ = try await service.call(
                    "POST", "/v1/notifications",
                    body: [
                        "to": ["users": .array(to.map(JSONValue.string))], "id": .string(id),
                        "payload": ["aps": ["alert": .string(text)]],
                    ], headers: ["Idempotency-Key": id])
                _ = await watch.next(.accepted, of: id, on: "phone")
            }
            let reply: JSONValue = [
                "id": "r", "message": "shared", "event": "acted", "at": .string(noon.description),
                "detail": "a reply that is private",
            ]
            _ = try await service.call("POST", "/v1/receipts", body: ["receipts": [reply]], auth: phone.credentials)

            let answer = try await service.call("DELETE", "/v1/users/user-to-be-forgotten")
            #expect(answer.status == 200)
            #expect(answer.json["devices"] == 1)
            #expect(answer.json["messages"] == 1)
            #expect(answer.json["inbox"] == 2)
            #expect(answer.json["remaining"] == 0)
            #expect(try await phone.sync().json["removals"]?.arrayValue?.count == 2, "the phone is told to remove them")
            #expect(try await service.store.device("there")?.user == "user-to-be-forgotten", "the other app's user")
            let again = try await service.call("DELETE", "/v1/users/user-to-be-forgotten")
            #expect(again.json["devices"] == 0 && again.json["messages"] == 0)
            let shared = try await service.call("GET", "/v1/notifications/shared")
            #expect(shared.json["state"] == "sent")
        }
        _ = try await store.erase(UserReference("user-to-be-forgotten", of: ferry.number), at: noon)
        try store.close()
        var bytes = Data()
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            bytes += FileManager.default.contents(atPath: folder.url.appending(path: file).path) ?? Data()
        }
        for text in ["user-to-be-forgotten", "a text that is private", "a reply that is private"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "the files still hold: \(text)")
        }
        #expect(bytes.range(of: Data("a text for two".utf8)) != nil)
    }

    @Test(
        "tags that name an erased user go from the user's installations, and are counted where they stay",
        arguments: StoreEngine.allCases)
    func tags(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("phone", user: "u-42", tags: ["vip", "user:u-42", "u-42", "u-421"]), at: noon)
        try await store.enrol(device("other", user: "u2", tags: ["u-42", "vip"]), at: noon)
        let erasure = try await store.erase(UserReference("u-42", of: chime.number), at: noon)
        #expect(try await store.device("phone")?.facts.tags == ["vip", "u-421"])
        #expect(try await store.device("other")?.facts.tags == ["vip"])
        #expect(erasure.remaining == 0)
        func count(_ text: String) async throws -> Int {
            try await store.count(.matching(try AudienceParser.parse(text)), of: chime, at: noon)
        }
        #expect(try await count("tag:u-42") == 0)
        #expect(try await count("tag:vip") == 2)
    }

    @Test("the answer says which copies from before an upgrade still have the user")
    func copies() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let store = Store(try SQLiteEngine(path: path))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        try await RunningService.run(store: store) { service in
            let none = try await service.call("DELETE", "/v1/users/u1")
            #expect(none.json["copies"] == [])
            try Data().write(to: URL(fileURLWithPath: SQLiteFile.copy(of: path, at: 1)))
            let answer = try await service.call("DELETE", "/v1/users/u1")
            #expect(answer.json["copies"] == ["carillon.sqlite.version-1"])
        }
    }

    @Test("a message that still waits is not sent after its user was erased", arguments: StoreEngine.allCases)
    func queued(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("phone", user: "u1"), at: noon)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        let erasure = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        #expect(erasure.devices == 1 && erasure.messages == 1 && erasure.remaining == 0)
        #expect(try await store.claim(everything(), at: noon).deliveries.filter { $0.message != nil }.isEmpty)
        #expect(try await store.kinds("m1", on: "phone") == [.queued, .cancelled])
    }

    @Test("with ?devices=true the user's installations are deleted too, and nobody else's")
    func devices() async throws {
        try await RunningService.run { service in
            for (id, user) in [("a", "u1"), ("b", "u1"), ("c", "u2")] {
                try await TestPhone(id, on: service).register(user: user)
            }
            let wrong = try await service.call("DELETE", "/v1/users/u1?devices=yes")
            #expect(wrong.status == 400 && wrong.json["type"] == "urn:carillon:problem:invalid-query")
            let answer = try await service.call("DELETE", "/v1/users/u1?devices=true")
            #expect(answer.status == 200 && answer.json["deleted_devices"] == 2, "\(answer.json)")
            for id in ["a", "b"] { #expect(try await service.store.device(id) == nil) }
            #expect(try await service.store.device("c")?.user == "u2")
            let other = try await service.call("DELETE", "/v1/users/u2")
            #expect(other.json["deleted_devices"] == nil && other.json["devices"] == 1)
            #expect(try await service.store.device("c") != nil)
        }
    }
}
