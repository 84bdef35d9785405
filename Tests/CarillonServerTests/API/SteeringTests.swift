import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Sending later, stopping, and trying, over HTTP", .timeLimit(.minutes(3)))
struct SteeringTests {
    private static let body: [String: JSONValue] = ["to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]]]

    private func send(_ service: RunningService, _ members: [String: JSONValue]) async throws -> RunningService.Answer {
        try await service.call(
            "POST", "/v1/notifications", body: .object(Self.body.merging(members) { _, new in new }))
    }

    @Test("locales that Swift holds for the same text and the database for two are counted together")
    func equivalentLocales() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let spellings = ["fr-caf\u{E9}", "fr-cafe\u{301}"]
            for (id, locale) in zip(["a", "b"], spellings) {
                var french = device(id)
                french.facts.locale = locale
                try await service.enrol([french], at: noon)
            }
            let answer = try await send(service, ["dry_run": true, "localized": ["fr": ["body": "Bonjour"]]])
            #expect(answer.status == 200 && answer.json["devices"] == 2, "\(answer.json)")
            #expect(answer.json["variants"]?.arrayValue?.last?["devices"] == 2, "\(answer.json)")
        }
    }

    @Test("a dry run says how many devices, in which languages, of which size, and keeps nothing")
    func dryRun() async throws {
        try await RunningService.run(roles: [.api]) { service in
            var german = device("a")
            german.facts.locale = "de_AT"
            try await service.enrol([german, device("b"), device("c")], at: noon)
            let members: [String: JSONValue] = [
                "dry_run": true, "localized": ["de": ["body": "Hallo, alle!"], "fr": ["body": "Bonjour"]], "id": "m",
            ]
            let answer = try await send(service, members)
            #expect(answer.status == 200 && answer.json["dry_run"] == true && answer.json["devices"] == 3)
            let variants = answer.json["variants"]?.arrayValue ?? []
            #expect(variants.map { $0["locale"]?.stringValue } == [nil, "de", "fr"], "\(answer.json)")
            #expect(variants.map { $0["devices"]?.intValue } == [2, 1, 0])
            let bytes = variants.compactMap { $0["bytes"]?.intValue }
            #expect(bytes.count == 3 && bytes[1] == bytes[0] + 7 && bytes[0] > 50 && bytes[0] < 400, "\(bytes)")
            #expect(try await service.call("GET", "/v1/notifications/m").status == 404)
            #expect(try await service.store.claim(everything(), at: noon).deliveries.isEmpty)
            let wrong = try await send(service, ["dry_run": true, "to": ["user": "u", "everyone": true]])
            #expect(wrong.status == 422)
        }
    }

    @Test("a message waits for send_at, is paused, resumed, cancelled, and says so")
    func states() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            try await service.enrol([device("phone")], at: noon)
            let sent = try await send(service, ["id": "m", "send_at": 1_800_000_060])
            #expect(sent.status == 202 && sent.json["state"] == "scheduled", "\(sent.json)")
            let again = try await send(service, ["id": "m", "send_at": 1_800_000_060])
            #expect(again.status == 202 && again.json["state"] == "scheduled", "the same call, repeated")
            for (verb, state) in [("pause", "paused"), ("resume", "scheduled")] {
                let answer = try await service.call("POST", "/v1/notifications/m/\(verb)")
                #expect(answer.status == 200 && answer.json["state"]?.stringValue == state, "\(answer.json)")
                #expect(answer.json["send_at"] == "2027-01-15T08:01:00.000Z")
            }
            service.clock.advance(by: .seconds(60))
            #expect(await watch.next(.accepted, of: "m") != nil)
            _ = try await send(service, ["id": "n", "send_at": "2027-01-15T09:00:00Z"])
            let cancelled = try await service.call("POST", "/v1/notifications/n/cancel")
            #expect(cancelled.json["state"] == "cancelled")
            #expect(cancelled.json["counts"]?["devices"] == 1 && cancelled.json["counts"]?["cancelled"] == 1)
            let refused = try await send(service, ["id": "n", "send_at": "2027-01-15T09:00:00Z"])
            #expect(refused.status == 409 && refused.json["type"] == "urn:carillon:problem:message-cancelled")
            let late = try await send(
                service, ["id": "m", "send_at": 1_900_000_000, "payload": ["aps": ["alert": "y"]]])
            #expect(late.status == 422 && late.json["pointer"] == "/send_at")
            let soon = try await send(
                service, ["id": "m", "send_at": 1_800_009_999, "payload": ["aps": ["alert": "y"]]])
            #expect(soon.status == 409 && soon.json["type"] == "urn:carillon:problem:already-sent")
            #expect(try await service.call("POST", "/v1/notifications/none/pause").status == 404)
        }
    }

    @Test("an app's limit is read with read and set with admin only")
    func rate() async throws {
        try await RunningService.run { service in
            let admin = try await service.keys.make(name: "admin", scopes: [.admin], apps: [chime]).key
            #expect(try await service.call("PATCH", "/v1/app", body: ["sends_per_second": 5]).status == 403)
            let set = try await service.call("PATCH", "/v1/app", body: ["sends_per_second": 5], auth: admin)
            #expect(set.status == 200 && set.json["sends_per_second"] == 5, "\(set.json)")
            #expect(try await service.call("GET", "/v1/app").json["sends_per_second"] == 5)
            for wrong: JSONValue in [-1, 1.5, "5", 1_000_000] {
                let answer = try await service.call("PATCH", "/v1/app", body: ["sends_per_second": wrong], auth: admin)
                #expect(answer.status == 422 && answer.json["pointer"] == "/sends_per_second")
            }
            let none = try await service.call("PATCH", "/v1/app", body: ["sends_per_second": 0], auth: admin)
            #expect(none.json["sends_per_second"] == nil && none.status == 200)
        }
    }

    @Test("a limited app's pushes go out at its rate, by the clock")
    func limited() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            try await service.enrol((0..<25).map { device("d\($0)") }, at: noon)
            _ = try await service.store.put(AppSettings(topic: topic, sendsPerSecond: 10), at: noon)
            _ = try await send(service, ["id": "m"])
            for _ in 0..<10 { #expect(await watch.next(.accepted, of: "m") != nil) }
            #expect(service.sender.pushes.count == 10)
            while service.sender.pushes.count < 25 {
                let before = service.sender.pushes.count
                service.clock.advance(by: .milliseconds(100))
                #expect(await watch.next(.accepted, of: "m") != nil)
                #expect(service.sender.pushes.count == before + 1)
            }
        }
    }
}
