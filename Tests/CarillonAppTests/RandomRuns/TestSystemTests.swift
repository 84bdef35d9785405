import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing

@MainActor
@Suite("Service, network and phones in one process")
struct TestSystemTests {
    @Test("an assured message is shown once, and its visible push is not needed")
    func assured() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            await phone.phone.pressHome()
            try await system.advance(by: .seconds(10))
            let answer = try await system.service.backend(
                "POST", "/v1/notifications",
                ["to": ["user": "ada"], "payload": ["aps": ["alert": "Hello"]], "mode": "assured", "id": "m1"])
            #expect(answer.status == 202)
            try await system.advance(by: .seconds(120))
            #expect(phone.onScreen == ["m1"], "\(system.runLog.text)")
            #expect(phone.alerts == ["m1": [.local]])
        }
    }
}
