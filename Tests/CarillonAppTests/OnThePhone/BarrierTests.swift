import CarillonDevice
import Testing
import UIKit
import UserNotifications

@testable import CarillonApp

@MainActor
@Suite("The barrier behind a removal")
struct BarrierTests {
    @Test("a removal returns when the notification has left the list, and not when iOS has heard of it")
    func barrier() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed()
            try await bench.visible("m1")
            try await bench.settle()
            let screen = NotificationScreen(center: try #require(bench.app?.center))
            let remaining = await screen.remove(["m1"])
            #expect(remaining.isEmpty && bench.onScreen.isEmpty)
        }
    }
}
