import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Recall and ends in the API")
struct RecallAPITests {
    private let send: JSONValue = [
        "to": ["user": "u1"], "id": "m1", "payload": ["aps": ["alert": "Hello"]],
    ]

    private func problem(_ service: RunningService, _ path: String, _ body: JSONValue) async throws -> String? {
        let answer = try await service.call("POST", path, body: body)
        return answer.status == 422 ? answer.json["pointer"]?.stringValue : "status \(answer.status)"
    }

    @Test("POST without a body or without a notice is the deletion; what it does not know is refused")
    func plain() async throws {
        try await RunningService.run { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            _ = try await service.call("POST", "/v1/notifications", body: send)
            let answer = try await service.call("POST", "/v1/notifications/m1/recall")
            #expect(answer.status == 202 && answer.json["state"] == "recalled")
            #expect(try await service.call("POST", "/v1/notifications/m1/recall", body: [:]).status == 202)
            #expect(try await service.call("POST", "/v1/notifications/none/recall").status == 404)
            let path = "/v1/notifications/m1/recall"
            #expect(try await problem(service, path, ["note": [:]]) == "/note")
            #expect(try await problem(service, path, ["notice": "gone"]) == "/notice")
            #expect(try await problem(service, path, ["notice": [:]]) == "/notice")
            #expect(try await problem(service, path, ["notice": ["body": ""]]) == "/notice/body")
            let long = JSONValue.string(String(repeating: "ü", count: 401))
            #expect(try await problem(service, path, ["notice": ["body": long]]) == "/notice/body")
            #expect(try await problem(service, path, ["notice": ["title": long, "body": "x"]]) == "/notice/title")
            #expect(try await problem(service, path, ["notice": ["body": "x", "sound": "x"]]) == "/notice/sound")
            let titled = try await service.call("POST", path, body: ["notice": ["title": "Withdrawn"]])
            #expect(titled.status == 202, "a title is enough")
        }
    }

    @Test("whoever watches the messages is told of a recall, as of a pause")
    func watched() async throws {
        try await RunningService.run(roles: [.api]) { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            let messages = try #require(service.service.changedMessages.subscribe())
            _ = try await service.call("POST", "/v1/notifications", body: send)
            #expect(try await service.call("POST", "/v1/notifications/m1/pause").status == 200)
            #expect(try await service.call("POST", "/v1/notifications/m1/recall").status == 202)
            let last: JSONValue = ["to": ["user": "u1"], "id": "last", "payload": ["aps": ["alert": "Hello"]]]
            _ = try await service.call("POST", "/v1/notifications", body: last)
            var told: [String] = []
            for await message in messages {
                told.append(message.id.rawValue)
                if message.id.rawValue == "last" { break }
            }
            #expect(told == ["m1", "m1", "m1", "last"])
        }
    }

    @Test("the end is removed for named recipients, for everyone where it is asked for, and needs an end")
    func removeExpired() async throws {
        try await RunningService.run { service in
            try await TestPhone("phone", on: service).register(user: "u1")
            let until: JSONValue = .string((noon + .seconds(60)).description)
            func accepted(_ id: String, _ to: JSONValue, _ asked: JSONValue?) async throws -> Bool? {
                var body: [String: JSONValue] = [
                    "to": to, "id": .string(id), "until": until, "payload": ["aps": ["alert": "Hello"]],
                ]
                body["remove_expired"] = asked
                let answer = try await service.call("POST", "/v1/notifications", body: .object(body))
                #expect(answer.status == 202)
                let message = MessageReference(MessageID(test: id), of: chime.number)
                return try await service.store.report(message, at: noon + .seconds(61))?.recall != nil
            }
            #expect(try await accepted("a", ["user": "u1"], nil) == true)
            #expect(try await accepted("b", ["devices": ["phone"]], nil) == true)
            #expect(try await accepted("c", ["user": "u1"], false) == false)
            #expect(try await accepted("d", ["everyone": true], nil) == false)
            #expect(try await accepted("e", ["everyone": true], true) == true)
            var body = send.objectValue ?? [:]
            body["remove_expired"] = true
            #expect(try await problem(service, "/v1/notifications", .object(body)) == "/remove_expired")
            body["remove_expired"] = "yes"
            #expect(try await problem(service, "/v1/notifications", .object(body)) == "/remove_expired")
        }
    }

    @Test("a reply has a bound, and is in the timeline only where the message asks")
    func replies() async throws {
        try await RunningService.run { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            var body = send.objectValue ?? [:]
            body["keep_replies"] = true
            _ = try await service.call("POST", "/v1/notifications", body: .object(body))
            func report(_ reply: String, _ id: String, on message: String = "m1") async throws -> Int {
                let receipt: JSONValue = [
                    "id": .string(id), "message": .string(message), "event": "acted", "at": .string(noon.description),
                    "detail": "REPLY", "reply": .string(reply),
                ]
                return try await service.call(
                    "POST", "/v1/receipts", body: ["receipts": [receipt]], auth: phone.credentials
                ).status
            }
            #expect(try await report(String(repeating: "x", count: 1001), "r1") == 422)
            #expect(try await report(String(repeating: "x", count: 1000), "r2") == 200)
            #expect(try await report("Gladly 🎉", "r3") == 200)
            func timeline(_ message: String) async throws -> String {
                let answer = try await service.call("GET", "/v1/notifications/\(message)/timeline")
                return String(decoding: answer.data, as: UTF8.self)
            }
            #expect(try await timeline("m1").contains("Gladly 🎉"))
            #expect(try await service.call("GET", "/v1/notifications/m1").json["replies"] == 1, "of one device")

            (body["keep_replies"], body["id"]) = (nil, "m2")
            _ = try await service.call("POST", "/v1/notifications", body: .object(body))
            #expect(try await report("Secretly 🎉", "r4", on: "m2") == 200)
            let second = try await timeline("m2")
            #expect(second.contains("REPLY") && !second.contains("Secretly 🎉"))
        }
    }
}
