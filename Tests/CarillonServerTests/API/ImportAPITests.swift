import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Importing devices over HTTP")
struct ImportAPITests {
    private func post(
        _ service: RunningService, _ text: String, type: String = "application/x-ndjson", query: String = "",
        auth: String? = nil
    ) async throws -> RunningService.Answer {
        try await service.call(
            "POST", "/v1/devices/import\(query)", raw: Data(text.utf8), auth: auth, headers: ["Content-Type": type])
    }

    @Test("a file longer than any body is read as it comes, and the report counts")
    func long() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let lines = (0..<3000).map { #"{"token": "\#(String(format: "%064x", $0))", "user": "u\#($0)"}"# }
            let answer = try await post(service, lines.joined(separator: "\n") + "\nnonsense\n")
            #expect(
                answer.status == 200 && answer.json["added"] == 3000 && answer.json["refused"] == 1, "\(answer.json)")
            #expect(answer.json["refusals"]?.arrayValue?.first?["line"] == 3001)
            let again = try await post(service, lines.joined(separator: "\n"), query: "?after_line=2990")
            #expect(again.json["unchanged"] == 10 && again.json["line"] == 3000)
            #expect(try await service.store.count(.everyone, of: chime, at: noon) == 3000)
        }
    }

    @Test("what cannot be read as a whole is refused")
    func refused() async throws {
        try await RunningService.run(roles: [.api]) { service in
            #expect(try await post(service, "x", type: "text/plain").status == 415)
            let header = try await post(service, "tokn\naa\n", type: "text/csv; charset=utf-8")
            #expect(header.status == 422 && header.json["detail"]?.stringValue?.contains("column token") == true)
            #expect(try await post(service, "", query: "?after_line=x").status == 400)
            #expect(try await post(service, "", query: "?environment=x").status == 400)
            let reader = try await service.keys.make(name: "reader", scopes: [.read], apps: [chime]).key
            #expect(try await post(service, "", auth: reader).status == 403)
            let other = try await post(service, #"{"token": "aa", "topic": "\#(ferry.topic)"}"#)
            #expect(other.json["refused"] == 1, "another app is not the key's")
        }
    }

    @Test("an app that registers with an imported token learns of its user only with a sign-in token")
    func signIn() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            let csv = "token,user,tags,environment\n\(phone.token),u1,vip,sandbox\n"
            #expect(try await post(service, csv, type: "text/csv").json["added"] == 1)
            _ = try await service.call(
                "POST", "/v1/notifications",
                body: ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]], "id": "m1"])
            let registered = try await phone.register()
            #expect(registered.status == 200 && registered.json["user"] == nil, "\(registered.json)")
            #expect(registered.json["awaits_token"] == nil)
            let itself = try await service.call("GET", "/v1/devices/phone", auth: phone.credentials)
            #expect(itself.json["user"] == nil && itself.json["tags"] == ["vip"])
            let backend = try await service.call("GET", "/v1/devices/phone")
            #expect(backend.json["user"] == "u1")
            let inbox = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials)
            #expect(inbox.status == 409)
            try await phone.register(user: "u1")
            let now = try await service.call("GET", "/v1/devices/phone/inbox", auth: phone.credentials)
            #expect(now.json["messages"]?.arrayValue?.count == 1)
        }
    }
}
