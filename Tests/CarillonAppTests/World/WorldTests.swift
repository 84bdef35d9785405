import CarillonApp
import CarillonCore
import CarillonDevice
import Foundation
import Testing

@MainActor
@Suite("Service, air and phones in one process")
struct WorldTests {
    @Test("an assured message is shown once, and its visible push is not needed")
    func assured() async throws {
        try await World.run { world in
            let phone = try await world.addPhone("phone")
            await phone.phone.pressHome()
            try await world.advance(by: .seconds(10))
            let answer = try await world.service.backend(
                "POST", "/v1/notifications",
                ["to": ["user": "ada"], "payload": ["aps": ["alert": "Hello"]], "mode": "assured", "id": "m1"])
            #expect(answer.status == 202)
            try await world.advance(by: .seconds(120))
            #expect(phone.onScreen == ["m1"], "\(world.story.text)")
            #expect(phone.alerts == ["m1": [.local]])
        }
    }
}
