import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("An installation's requests that the network brings late", .timeLimit(.minutes(3)))
struct RequestOrderTests {
    private let header = SyncAnswer.sequenceHeader

    private func locale(_ phone: TestPhone, _ service: RunningService) async throws -> JSONValue? {
        try await service.call("GET", "/v1/devices/phone", auth: phone.credentials).json["locale"]
    }

    @Test("an older change changes nothing, and the answer says so; one without a number is made")
    func change() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            func change(_ locale: String, _ sequence: String?) async throws -> (status: Int, json: JSONValue) {
                let answer = try await service.call(
                    "PATCH", "/v1/devices/phone", body: ["locale": .string(locale)], auth: phone.credentials,
                    headers: sequence.map { [header: $0] } ?? [:])
                return (answer.status, answer.json)
            }
            #expect(try await change("de", "7").json["sync"]?["sequence"] == nil)
            let late = try await change("fr", "6")
            #expect(late.status == 200 && late.json["sync"]?["sequence"] == 7)
            #expect(try await locale(phone, service) == "de")
            #expect(try await change("it", "7").json["sync"]?["sequence"] == nil, "a repeated request")
            #expect(try await change("es", nil).status == 200)
            #expect(try await locale(phone, service) == "es")
            #expect(try await change("pt", "6").json["sync"]?["sequence"] == 7)
            for wrong in ["-1", "x", "1.5", "281474976710657", "99999999999999999999"] {
                #expect(try await change("pl", wrong).status == 422, "\(wrong)")
            }
            #expect(try await locale(phone, service) == "es")
            #expect(try await change("nl", "\(SyncAnswer.greatestSequence)").status == 200)
            #expect(try await locale(phone, service) == "nl")
        }
    }

    @Test("a registration and a sign-in that come after the sign-out bind nobody")
    func signOut() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u")
            let signIn = try phone.signInToken(of: "u")
            func send(_ method: String, _ path: String, _ body: JSONValue?, _ sequence: Int) async throws -> JSONValue {
                try await service.call(
                    method, path, body: body, auth: phone.credentials, headers: [header: "\(sequence)"]
                ).json
            }
            _ = try await send("DELETE", "/v1/devices/phone/user", nil, 9)
            let late = try await send("PATCH", "/v1/devices/phone", ["sign_in_token": signIn], 8)
            #expect(late["user"] == nil && late["sync"]?["sequence"] == 9)
            var body = phone.registration
            body["sign_in_token"] = signIn
            let again = try await send("POST", "/v1/devices", .object(body), 8)
            #expect(again["user"] == nil && again["sync"]?["sequence"] == 9)
            let next = try await send("PATCH", "/v1/devices/phone", ["sign_in_token": signIn], 10)
            #expect(next["user"] == "u" && next["sync"]?["sequence"] == nil)
            let lateSignOut = try await send("DELETE", "/v1/devices/phone/user", nil, 9)
            #expect(lateSignOut["sequence"] == 10)
            #expect(try await send("PATCH", "/v1/devices/phone", ["locale": "de"], 11)["user"] == "u")
            let byBackend = try await service.call(
                "DELETE", "/v1/devices/phone/user", headers: [header: "281474976710656"])
            #expect(byBackend.status == 200)
            #expect(try await send("PATCH", "/v1/devices/phone", ["locale": "fr"], 12)["sync"]?["sequence"] == nil)
        }
    }
}
