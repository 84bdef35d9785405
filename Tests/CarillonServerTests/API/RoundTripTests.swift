import CarillonAPNs
import CarillonCore
import CarillonServer
import Foundation
import Hummingbird
import Testing

@Suite("A message's way, over a socket", .timeLimit(.minutes(3)))
struct MessageRoundTripTests {
    private let hello: JSONValue = ["aps": ["alert": ["title": "News", "body": "Hello"]]]

    @Test("sent, shown, opened on one phone: gone from the other, and the timeline tells it")
    func readOnceGoneEverywhere() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            let tablet = TestPhone("tablet", on: service)
            let registered = try await phone.register(user: "u1")
            #expect(registered.status == 200)
            #expect(registered.json["user"] == "u1")
            try await tablet.register(user: "u1")

            let sent = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["user": "u1"], "payload": hello, "id": "m1"])
            #expect(sent.status == 202)
            #expect(sent.json == ["id": "m1", "state": "accepted", "devices": 2])
            for device in ["phone", "tablet"] { _ = await watch.next(.accepted, of: "m1", on: device) }

            try await phone.report(.shown, "m1")
            let opened = try await phone.report(.opened, "m1")
            #expect(opened.json["unread"] == 0)
            var pushes = service.sender.stream.makeAsyncIterator()
            _ = await pushes.next()
            _ = await pushes.next()
            let removal = await pushes.next()
            #expect(removal?.token.hex == tablet.token)
            #expect(removal?.carillon?.removals.map(\.message) == [MessageID(test: "m1")])
            #expect(try await tablet.sync().json["removals"] == ["m1:1:read"])
            let confirmed = try await tablet.report(.recalled, "m1")
            #expect(confirmed.json["removals"] == [])

            let timeline = try await service.call("GET", "/v1/notifications/m1/timeline")
            let document = try CarillonJSON.decode(Timeline.self, from: timeline.data)
            let onPhone = try #require(document.devices.first { $0.device == "phone" })
            #expect(onPhone.events.map(\.event) == [.queued, .sent, .accepted, .shown, .opened])
            #expect(
                onPhone.events[2].apnsID
                    == service.sender.pushes.first { $0.token.hex == phone.token }?.apnsID.uuidString.lowercased())
            let onTablet = try #require(document.devices.first { $0.device == "tablet" })
            #expect(onTablet.recall == .confirmed)
        }
    }

    @Test("a payload's numbers go out digit by digit")
    func numbers() async throws {
        try await RunningService.run { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            let numbers = "[18446744073709551615,123456789012345678901234567890,1.0,1e5,-0,0.1000,7]"
            let body = #"{"to":{"user":"u1"},"payload":{"aps":{"alert":"x"},"numbers":\#(numbers)}}"#
            #expect(try await service.call("POST", "/v1/notifications", raw: Data(body.utf8)).status == 202)
            var pushes = service.sender.stream.makeAsyncIterator()
            let payload = await pushes.next().map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(payload?.contains(#""numbers":\#(numbers)"#) == true, "\(payload ?? "")")
        }
    }

    @Test("recalled: a removal goes out, and each device's outcome is named")
    func recall() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            _ = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["user": "u1"], "payload": hello, "id": "m1"])
            _ = await watch.next(.accepted, of: "m1")
            let recalled = try await service.call("DELETE", "/v1/notifications/m1")
            #expect(recalled.status == 202)
            #expect(recalled.json["recall"] == ["pending until launch": 1])
            #expect(recalled.json["devices"] == [["device": "phone", "recall": "pending until launch"]])
            try await phone.report(.recalled, "m1")
            let report = try await service.call("GET", "/v1/notifications/m1")
            #expect(report.json["state"] == "recalled")
            #expect(report.json["recall"] == ["confirmed": 1])
            #expect(report.json["counts"]?["recalled"] == 1)
        }
    }

    @Test("silent: the phone gets what to show inside Carillon's key")
    func silent() async throws {
        try await RunningService.run { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u1"], "payload": hello, "mode": "silent", "until": "2027-02-01T00:00:00Z"])
            var pushes = service.sender.stream.makeAsyncIterator()
            let push = await pushes.next()
            #expect(push?.pushType == .background)
            #expect(push?.carillon?.silent?["alert"]?["body"] == "Hello")
            let until = try #require(Timestamp(rfc3339: "2027-02-01T00:00:00Z"))
            #expect(push?.expiration == .at(until))
        }
    }

    @Test("signing out answers with nothing unread, and the user's messages stop")
    func signOut() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            let answer = try await service.call("DELETE", "/v1/devices/phone/user", auth: phone.credentials)
            #expect(answer.status == 200)
            #expect(answer.json["unread"] == nil)
            let sent = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["user": "u1"], "payload": hello])
            #expect(sent.json["devices"] == 0)
        }
    }

    @Test("marked as read by the backend: gone from the user's phones")
    func markRead() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u 1")
            _ = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["user": "u 1"], "payload": hello, "id": "m1"])
            _ = await watch.next(.accepted, of: "m1")
            let read = try await service.call("POST", "/v1/users/u%201/read", body: ["messages": ["m1"]])
            #expect(read.json == ["marked": 1, "unread": 0])
            #expect(try await phone.sync().json["removals"] == ["m1:1:read"])
        }
    }

    @Test("routes of others are served beside the service's own, with problem documents")
    func addedRoutes() async throws {
        try await RunningService.run(
            routes: { service in
                service.addRoutes { router in
                    router.get("/extra") { _, _ in "here" }
                }
            },
            { service in
                let answer = try await service.call("GET", "/extra", auth: "")
                #expect(String(decoding: answer.data, as: UTF8.self) == "here")
                let wrong = try await service.call("POST", "/extra", auth: "")
                #expect(wrong.status == 405)
                #expect(wrong.headers["allow"] == "GET, HEAD")
            })
    }
}
