import CarillonCore
import CarillonDevice
import Foundation
import Testing

@testable import CarillonApp
@testable import CarillonMessaging

@MainActor
@Suite("A message that is replaced for others", .serialized)
struct ReplacementTests {
    @Test("leaves the phone of whoever it is no longer for, and comes to the phone of whoever it is for now")
    func others() async throws {
        try await TestSystem.run { system in
            let ada = try await system.addPhone("phone", user: "ada")
            let grace = try await system.addPhone("other", user: "grace")
            for phone in [ada, grace] { await phone.phone.pressHome() }
            func send(to user: String, _ more: [String: JSONValue] = [:]) async throws -> Int {
                let body: [String: JSONValue] = [
                    "to": ["user": .string(user)], "payload": ["aps": ["alert": .string("for \(user)")]], "id": "m1",
                ]
                let answer = try await system.service.backend(
                    "POST", "/v1/notifications", .object(body.merging(more) { $1 }))
                try await system.advance(by: .seconds(5))
                return answer.status
            }
            #expect(try await send(to: "ada") == 202)
            #expect(ada.onScreen == ["m1"] && grace.onScreen.isEmpty)
            #expect(try await send(to: "grace") == 409)
            #expect(ada.onScreen == ["m1"] && grace.onScreen.isEmpty)
            #expect(try await send(to: "grace", ["replace": true]) == 202)
            #expect(ada.onScreen.isEmpty && grace.onScreen == ["m1"])
        }
    }
}
