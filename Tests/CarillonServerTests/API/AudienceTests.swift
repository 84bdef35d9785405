import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Audiences over HTTP")
struct AudienceTests {
    @Test("are counted, sent to, and refused with the place of the error")
    func audiences() async throws {
        try await RunningService.run { service in
            try await service.enrol([device("vip", tags: ["vip"]), device("other", tags: ["free"])], at: noon)
            let counted = try await service.call(
                "POST", "/v1/audiences/count", body: ["to": ["where": "tag:vip or tag:free and not tag:free"]])
            #expect(counted.status == 200 && counted.json == ["devices": 1])
            let everyone = try await service.call("POST", "/v1/audiences/count", body: ["to": ["everyone": true]])
            #expect(everyone.json == ["devices": 2])

            let sent = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["where": "not tag:vip"], "payload": ["aps": ["alert": "Hi"]]])
            #expect(sent.status == 202 && sent.json["devices"] == 1)

            let wrong = try await service.call(
                "POST", "/v1/notifications", body: ["to": ["where": "tagg:vip"], "payload": ["aps": ["alert": "Hi"]]])
            #expect(wrong.status == 422 && wrong.json["pointer"] == "/to/where", "\(wrong.json)")
            #expect(wrong.json["detail"]?.stringValue?.contains("at character 1") == true, "\(wrong.json)")
            #expect(wrong.json["detail"]?.stringValue?.contains("did you mean tag?") == true, "\(wrong.json)")
        }
    }
}
