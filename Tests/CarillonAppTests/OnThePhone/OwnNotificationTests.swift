import CarillonApp
import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UserNotifications

@MainActor @Suite("Notifications of the app itself") struct OwnNotificationTests {
    @Test("one that has the identifier of a recalled message stays in the list")
    func sameIdentifier() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.removal("m1")
            await fixture.phone.run(in: AppFixture.bundleID) {
                let content = UNMutableNotificationContent()
                content.body = "The app's own"
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(identifier: "m1", content: content, trigger: nil))
            }
            try await fixture.goHome()
            #expect(fixture.onScreen == ["m1"])
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen == ["m1"])
        }
    }
}
