import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("until: now, over HTTP", .timeLimit(.minutes(3)))
struct NowOrNeverAPITests {
    private func send(
        _ service: RunningService, _ members: [String: JSONValue], aps: JSONValue = ["alert": "Your taxi is here"]
    ) async throws -> RunningService.Answer {
        let body: [String: JSONValue] = ["to": ["user": "u"], "payload": ["aps": aps], "id": "m", "until": "now"]
        return try await service.call(
            "POST", "/v1/notifications", body: .object(body.merging(members) { _, new in new }))
    }

    @Test(
        "APNs tries once; the phone is told of no end and of no badge, and no inbox has it",
        arguments: ["visible", "silent"])
    func delivered(_ mode: String) async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            while try await service.store.device("phone")?.confirmed == nil { await Task.yield() }
            let sent = try await send(service, ["mode": .string(mode)])
            #expect(sent.status == 202 && sent.json["devices"] == 1, "\(sent.json)")
            _ = await watch.next(.accepted, of: "m", on: "phone")
            let push = try #require(service.sender.pushes.last)
            #expect(push.expiration == .oneAttempt && push.json["carillon"]?["until"] == nil)
            #expect(push.json["aps"]?["badge"] == nil && push.json["carillon"]?["silent"]?["badge"] == nil)
            let report = try await service.call("GET", "/v1/notifications/m").json
            #expect(report["until"] == "now" && report["state"] == "sent", "\(report)")
            let inbox = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials).json
            #expect(inbox["messages"] == [] && inbox["unread"] == 0, "\(inbox)")
            let again = try await send(service, ["mode": .string(mode)])
            #expect(again.status == 202 && service.sender.pushes.count { $0.carillon?.id?.rawValue == "m" } == 1)
        }
    }

    @Test("whatever does not go with it is refused, with its place")
    func refused() async throws {
        try await RunningService.run(roles: [.api]) { service in
            for (members, aps, pointer) in [
                (["mode": "assured"], ["alert": "x"], "/until"), (["until": "NOW"], ["alert": "x"], "/until"),
                (["until": 0], ["alert": "x"], "/until"),
                (["remove_expired": true], ["alert": "x"], "/remove_expired"),
                ([:], ["alert": "x", "badge": "auto"], "/payload/aps/badge"),
            ] as [([String: JSONValue], JSONValue, JSONValue)] {
                let answer = try await send(service, members, aps: aps)
                #expect(answer.status == 422 && answer.json["pointer"] == pointer, "\(members): \(answer.json)")
                #expect(answer.json["detail"]?.stringValue?.contains("now") == true, "\(answer.json)")
            }
            #expect(try await send(service, ["remove_expired": false], aps: ["alert": "x", "badge": 2]).status == 202)
        }
    }
}
