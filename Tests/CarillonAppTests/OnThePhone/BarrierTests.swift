import CarillonDevice
import Testing
import UIKit
import UserNotifications

@testable import CarillonApp
@testable import CarillonMessaging

@MainActor
@Suite("The barrier behind a removal")
struct BarrierTests {
    @Test("a removal returns when the notification has left the list, and not when iOS has heard of it")
    func barrier() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.visible("m1")
            try await fixture.settle()
            let client = NotificationCenterClient(center: try #require(fixture.app?.center))
            let remaining = await client.remove(["m1"])
            #expect(remaining.left.isEmpty && fixture.onScreen.isEmpty)
        }
    }
}
