import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// Two apps on one service: each scenario was once a leak.
@Suite("What is one app's is no other's", .timeLimit(.minutes(3)))
struct AppIsolationTests {
    private static let note: JSONValue = ["aps": ["alert": "x"]]

    private func keys(_ service: RunningService) async throws -> (chime: String, ferry: String, both: String) {
        let scopes: Set<APIScope> = [.send, .read, .users]
        return (
            service.key, try await service.keys.make(name: "ferry", scopes: scopes, apps: [ferry]).key,
            try await service.keys.make(name: "both", scopes: scopes, apps: [chime, ferry]).key
        )
    }

    private func send(
        _ service: RunningService, _ id: String, to user: String, text: String = "x", key: String,
        topic: String? = nil, replace: Bool? = nil
    ) async throws -> RunningService.Answer {
        var body: [String: JSONValue] = [
            "to": ["user": .string(user)], "payload": ["aps": ["alert": .string(text)]], "id": .string(id),
        ]
        body["topic"] = topic.map(JSONValue.string)
        body["replace"] = replace.map(JSONValue.bool)
        return try await service.call("POST", "/v1/notifications", body: .object(body), auth: key)
    }

    @Test("the same user id and the same message id in two apps are two people and two messages")
    func users() async throws {
        try await RunningService.run { service in
            let keys = try await keys(service)
            let here = TestPhone("here", on: service)
            let there = TestPhone("there", on: service, app: ferry)
            for phone in [here, there] { #expect(try await phone.register(user: "u-42").status == 200) }
            #expect(try await send(service, "m", to: "u-42", text: "chime", key: keys.chime).status == 202)
            #expect(try await send(service, "m", to: "u-42", text: "ferry", key: keys.ferry).status == 202)
            for (phone, text) in [(here, "chime"), (there, "ferry")] {
                let inbox = try await service.call("GET", "/v1/devices/\(phone.id)/inbox", auth: phone.credentials)
                #expect(inbox.json["unread"] == 1)
                let alerts = inbox.json["messages"]?.arrayValue?.map { $0["payload"]?["aps"]?["alert"] }
                #expect(alerts == [.string(text)])
            }
            let read = try await service.call(
                "POST", "/v1/users/u-42/read", body: ["up_to": "2100-01-01T00:00:00Z"], auth: keys.chime)
            #expect(read.json["marked"] == 1)
            #expect(try await here.sync().json["unread"] == 0)
            #expect(try await there.sync().json["unread"] == 1)
            #expect(
                try await service.call("DELETE", "/v1/notifications/m", auth: keys.chime).json["state"] == "recalled")
            let other = try await service.call("GET", "/v1/notifications/m", auth: keys.ferry)
            #expect(other.json["state"] != "recalled" && other.json["topic"] == "com.example.ferry")
        }
    }

    @Test("a key of one app neither reads, recalls nor looks up what is another's")
    func foreignKey() async throws {
        try await RunningService.run { service in
            let keys = try await keys(service)
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            _ = try await send(service, "m", to: "u1", key: keys.chime)
            let calls = [
                ("GET", "/v1/notifications/m"), ("GET", "/v1/notifications/m/timeline"),
                ("DELETE", "/v1/notifications/m"), ("GET", "/v1/devices/phone"), ("DELETE", "/v1/devices/phone"),
                ("DELETE", "/v1/devices/phone/user"),
            ]
            for (method, path) in calls {
                #expect(try await service.call(method, path, auth: keys.ferry).status == 404, "\(method) \(path)")
            }
            let devices = try await service.call("GET", "/v1/users/u1/devices", auth: keys.ferry)
            #expect(devices.json["devices"] == [])
            let out = try await service.call("POST", "/v1/users/u1/sign-out", auth: keys.ferry)
            #expect(out.json["devices"] == 0)
            #expect(try await service.store.device("phone")?.user == "u1")
            #expect(try await send(service, "n", to: "u1", key: keys.ferry, topic: topic).status == 422)
            let query = try await service.call("GET", "/v1/notifications/m?topic=\(topic)", auth: keys.ferry)
            #expect(query.status == 422)
        }
    }

    @Test("a key for several apps names one in each call, in the body or in the query")
    func severalApps() async throws {
        try await RunningService.run { service in
            let keys = try await keys(service)
            let missing = try await send(service, "m", to: "u1", key: keys.both)
            #expect(missing.status == 422 && missing.json["pointer"] == "/topic")
            #expect(missing.json["detail"]?.stringValue?.contains("com.example.ferry") == true)
            #expect(try await send(service, "m", to: "u1", key: keys.both, topic: ferry.topic).status == 202)
            #expect(try await service.call("GET", "/v1/notifications/m", auth: keys.both).status == 422)
            let path = "/v1/notifications/m?topic="
            #expect(try await service.call("GET", path + ferry.topic, auth: keys.both).status == 200)
            #expect(try await service.call("GET", path + chime.topic, auth: keys.both).status == 404)
            #expect(try await service.call("DELETE", path + ferry.topic, auth: keys.both).status == 202)
            let read = try await service.call(
                "POST", "/v1/users/u1/read?topic=\(ferry.topic)", body: ["messages": ["m"]], auth: keys.both)
            #expect(read.status == 200)
        }
    }

    @Test("an installation belongs to one app for ever, and so does who is signed in on it")
    func otherApp() async throws {
        try await RunningService.run { service in
            let keys = try await keys(service)
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            let moved = TestPhone("phone", on: service, app: ferry)
            let answer = try await moved.register()
            #expect(answer.status == 409 && answer.json["pointer"] == "/topic")
            #expect(try await service.store.device("phone")?.app == chime)
            _ = try await send(service, "m", to: "u1", key: keys.ferry)
            #expect(try await phone.sync().json["unread"] == 0)
            #expect(service.sender.pushes.isEmpty)
        }
    }

    @Test("naming another app's installation sends it nothing")
    func devices() async throws {
        try await RunningService.run { service in
            let keys = try await keys(service)
            try await TestPhone("phone", on: service).register()
            let answer = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["devices": ["phone"]], "payload": Self.note],
                auth: keys.ferry)
            #expect(answer.json["devices"] == 0)
        }
    }

    // MARK: Replacing

    @Test("an id used again for somebody else is refused, and shows nobody another's message")
    func otherAudience() async throws {
        try await RunningService.run { service in
            let phones = ["u1", "u2"].map { TestPhone("phone-\($0)", on: service) }
            for (phone, user) in zip(phones, ["u1", "u2"]) { try await phone.register(user: user) }
            _ = try await send(service, "m", to: "u1", text: "for u1", key: service.key)
            let second = try await send(service, "m", to: "u2", text: "for u2", key: service.key)
            #expect(second.status == 409 && second.json["pointer"] == "/id")
            #expect(second.json["detail"]?.stringValue?.contains(#""replace": true"#) == true)
            let inbox = try await service.call(
                "GET", "/v1/devices/phone-u1/inbox", auth: phones[0].credentials)
            #expect(inbox.json["messages"]?.arrayValue?.count == 1)
            #expect(inbox.data.range(of: Data("for u2".utf8)) == nil)
        }
    }

    @Test("replaced for others when it is said so: who is no longer addressed loses it, on the phone too")
    func replace() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phones = ["u1", "u2"].map { TestPhone("phone-\($0)", on: service) }
            for (phone, user) in zip(phones, ["u1", "u2"]) { try await phone.register(user: user) }
            _ = try await send(service, "m", to: "u1", text: "for u1", key: service.key)
            _ = await watch.next(.accepted, of: "m", on: "phone-u1")
            let second = try await send(service, "m", to: "u2", text: "for u2", key: service.key, replace: true)
            #expect(second.status == 202)
            _ = await watch.next(.accepted, of: "m", on: "phone-u2")
            let sync = try await phones[0].sync()
            #expect(sync.json["removals"] == ["m:1:replaced"])
            #expect(sync.json["unread"] == 0)
            let inbox = try await service.call("GET", "/v1/devices/phone-u1/inbox", auth: phones[0].credentials)
            #expect(inbox.json["messages"] == [])
            let again = try await send(service, "m", to: "u2", text: "for u2", key: service.key)
            #expect(again.status == 202, "the same message, whether or not it was said")
            let back = try await send(service, "m", to: "u1", text: "for u1 again", key: service.key, replace: true)
            #expect(back.status == 202)
            _ = await watch.next(.accepted, of: "m", on: "phone-u1")
            #expect(try await phones[0].sync().json["removals"] == [])
        }
    }
}
