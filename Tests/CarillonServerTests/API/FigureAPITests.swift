import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("GET /v1/figures and a message sent again, over HTTP", .timeLimit(.minutes(3)))
struct FigureAPITests {
    private static let body: JSONValue = [
        "to": ["user": "u"], "id": "m", "campaign": "spring", "payload": ["aps": ["alert": "Hello"]],
    ]

    @Test("from the push to the answer, for the app, the campaign and the message")
    func story() async throws {
        try await RunningService.run { service in
            var watch = try #require(EventWatch(service.service.events))
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            #expect(try await service.call("POST", "/v1/notifications", body: Self.body).status == 202)
            _ = await watch.next(.accepted, of: "m", on: "phone")
            for query in ["", "?campaign=spring", "?message=m", "?from=2027-01-01&to=2027-01-31"] {
                let answer = try await service.call("GET", "/v1/figures\(query)")
                #expect(answer.status == 200 && answer.json["total"]?["accepted"] == 1, "\(query): \(answer.json)")
                #expect(answer.json["days"]?.arrayValue?.map { $0["day"] } == ["2027-01-15"])
            }
            let before = try await service.call("GET", "/v1/figures?from=2026-12-01&to=2027-01-14").json
            #expect(before["total"]?["accepted"] == 0 && before["days"] == [])
            let campaigns = try await service.call("GET", "/v1/figures/campaigns").json
            #expect(campaigns["campaigns"]?.arrayValue?.map { $0["campaign"] } == ["spring"], "\(campaigns)")
            #expect(try await service.call("GET", "/v1/notifications/m").json["campaign"] == "spring")
            let again = try await service.call("POST", "/v1/notifications/m/resend")
            #expect(again.status == 202 && again.json["id"] == "m.2" && again.json["devices"] == 1, "\(again.json)")
            _ = await watch.next(.accepted, of: "m.2", on: "phone")
            let repeated = try await service.call("POST", "/v1/notifications/m/resend", body: ["id": "m.2"])
            #expect(repeated.status == 202 && repeated.json == again.json)
            #expect(try await service.call("GET", "/v1/figures?campaign=spring").json["total"]?["accepted"] == 2)
        }
    }

    @Test(
        "what cannot be read in the query is refused with its name",
        arguments: [
            ("?from=2027-1-1", "from must be a day in UTC such as"), ("?to=2027-02-30", "to must be a day"),
            ("?from=2027-01-02&to=2027-01-01", "from must not be later than to"),
            ("?from=2020-01-01", "from and to must be at most 400 days apart"),
            ("?campaign=a%20b", "campaign must have 1 to 64 characters"), ("?campaign=", "campaign must have 1 to"),
            ("?message=m&campaign=c", "message and campaign exclude each other"), ("?message=a%20b", "message: "),
            ("?tag=x", "tag is not known here"),
        ])
    func refused(_ query: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let answer = try await service.call("GET", "/v1/figures\(query)")
            #expect(answer.status == 400, "\(answer.status) \(answer.json)")
            #expect(answer.json["detail"]?.stringValue?.hasPrefix(words) == true, "\(answer.json)")
        }
    }

    @Test("a message that does not exist, a campaign that is none, and a copy without a name are refused")
    func wrong() async throws {
        try await RunningService.run(roles: [.api]) { service in
            #expect(try await service.call("GET", "/v1/figures?message=none").status == 404)
            #expect(try await service.call("POST", "/v1/notifications/none/resend").status == 404)
            var body = Self.body.members ?? JSONObject()
            body["campaign"] = "no spaces"
            let refused = try await service.call("POST", "/v1/notifications", body: .object(body))
            #expect(refused.status == 422 && refused.json["pointer"] == "/campaign")
            _ = try await service.call("POST", "/v1/notifications", body: Self.body)
            let nobody = try await service.call("POST", "/v1/notifications/m/resend")
            #expect(nobody.status == 409 && nobody.json["type"]?.stringValue?.hasSuffix("seen-by-all") == true)
            for (body, pointer) in [(["id": "a b"] as JSONValue, "/id"), (["to": "u"], "/to")] {
                let refused = try await service.call("POST", "/v1/notifications/m/resend", body: body)
                #expect(refused.status == 422 && refused.json["pointer"]?.stringValue == pointer, "\(refused.json)")
            }
        }
    }
}
