import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Sending in local time, over HTTP", .timeLimit(.minutes(3)))
struct LocalTimeAPITests {
    @Test("a request's rules are kept, and report, list and timeline tell them")
    func told() async throws {
        try await RunningService.run(roles: [.api]) { service in
            var phone = device("phone")
            phone.facts.timeZone = "Asia/Tokyo"
            try await service.enrol([phone], at: noon)
            // It is 08:00 in UTC, and 17:00 in Tokyo: sending has started, and six o'clock is an hour ahead.
            let body: JSONValue = [
                "to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]], "id": "m",
                "send_at": ["local": "2027-01-15T18:00", "fallback": "Europe/Berlin", "passed": "skip"],
            ]
            let sent = try await service.call("POST", "/v1/notifications", body: body)
            #expect(sent.status == 202 && sent.json["state"] == "accepted", "\(sent.json)")
            let again = try await service.call("POST", "/v1/notifications", body: body)
            #expect(again.status == 202 && again.json["state"] == "accepted", "a repetition")
            let report = try await service.call("GET", "/v1/notifications/m").json
            #expect(report["send_at"] == "2027-01-15T04:00:00.000Z")
            let told: JSONValue = [
                "local": "2027-01-15T18:00", "fallback": "Europe/Berlin", "passed": "skip",
                "waits": [["at": "2027-01-15T09:00:00.000Z", "offset": "+09:00", "devices": 1]],
            ]
            #expect(report["local_time"] == told && report["counts"]?["skipped"] == 0, "\(report)")
            let list = try await service.call("GET", "/v1/notifications").json
            #expect(list["notifications"]?.arrayValue?.first?["local_time"] == told)
            let timeline = try await service.call("GET", "/v1/notifications/m/timeline").json
            let words = timeline["devices"]?.arrayValue?.first?["waiting"]?.stringValue
            #expect(words?.hasPrefix("until 2027-01-15T18:00 in Asia/Tokyo") == true, "\(timeline)")
        }
    }

    @Test("without further words, an unknown zone is UTC, and a time that has passed means at once")
    func defaults() async throws {
        try await RunningService.run(roles: [.api]) { service in
            try await service.enrol([device("phone")], at: noon)
            let sent = try await service.call(
                "POST", "/v1/notifications",
                body: [
                    "to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]], "id": "m",
                    "send_at": ["local": "2027-01-15T07:00"],
                ])
            #expect(sent.status == 202, "\(sent.json)")
            let report = try await service.call("GET", "/v1/notifications/m").json["local_time"]
            #expect(report?["fallback"] == "UTC" && report?["passed"] == "send" && report?["waits"] == [])
            #expect(try await service.store.claimShown(at: noon).map(\.device) == ["phone"])
        }
    }
}
