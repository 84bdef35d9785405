import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import Testing

@testable import CarillonApp
@testable import CarillonMessaging

/// A device token that somebody else has registered first: an installation of before, or a stranger's who has read it.
@MainActor
@Suite("A phone gets its own device token back", .serialized)
struct TokenClaimTests {
    private static let secret = String(repeating: "cd", count: 32)
    private let squatter = ["Authorization": "Bearer squatter:\(secret)"]

    /// Registers the token of the phone that is called `phone` before that phone can.
    private func squat(_ system: TestSystem) async throws {
        let token = try #require(DeviceToken(Data("token of phone".utf8)))
        let body: JSONValue = [
            "installation": "squatter", "secret": .string(Self.secret), "topic": .string(InProcessService.topic),
            "environment": "sandbox", "token": .string(token.hex), "permission": "authorized",
            "sign_in_token": .string(try system.service.signInToken(for: "mallory")),
        ]
        let url = try #require(URL(string: "https://push.example.com/v1/devices"))
        let answer = try await system.service.respond(
            to: ServiceRequest(method: "POST", url: url, headers: [:], body: try body.encoded()))
        #expect(answer.status == 200)
    }

    private func state(_ installation: String?, _ system: TestSystem) async throws -> DeviceRecord.State? {
        try await system.service.store.devices.device(installation ?? "")?.state
    }

    @Test("by returning the nonce that is pushed to it; whoever held the token has no rights any more")
    func claimed() async throws {
        try await TestSystem.run { system in
            try await squat(system)
            let phone = try await system.addPhone("phone")
            try await system.advance(by: .seconds(2))
            #expect(try await state("squatter", system) == .superseded)
            #expect(try await state(phone.carillon?.installationID, system) == .active)
            await phone.phone.pressHome()
            try await system.service.backend(
                "POST", "/v1/notifications",
                ["to": ["user": "ada"], "payload": ["aps": ["alert": "for ada"]], "id": "m1"])
            try await system.advance(by: .seconds(2))
            #expect(phone.onScreen == ["m1"])
            let url = try #require(URL(string: "https://push.example.com/v1/devices/squatter/inbox"))
            let answer = try await system.service.respond(
                to: ServiceRequest(method: "GET", url: url, headers: squatter, body: nil))
            #expect(answer.status == 401)
        }
    }

    @Test("also when the first nonce is lost: it registers again, and is sent another")
    func lost() async throws {
        try await TestSystem.run { system in
            try await squat(system)
            let phone = try await system.addPhone("phone")
            // The push was due a moment later; by then the phone is away.
            try await phone.phone.forceQuit(InProcessService.topic)
            try await system.advance(by: .seconds(90))
            #expect(try await state("squatter", system) == .active)
            try await phone.phone.openApp(InProcessService.topic)
            try await system.advance(by: .seconds(300))
            #expect(try await state("squatter", system) == .superseded)
            #expect(try await state(phone.carillon?.installationID, system) == .active)
        }
    }
}
