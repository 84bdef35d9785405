import CarillonCore
import CarillonDevice
import Testing
import UserNotifications

@Suite("A banner under a long press") @MainActor struct OpenedBannerTests {
    @Test("it stays longer than its time, and goes when it is closed")
    func stays() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "n")
            try await app.phone.screen.expand("n", in: app.bundleID)
            try await app.advance(by: .seconds(60))
            #expect(app.phone.banner?.notification.request.identifier == "n")
            app.phone.screen.collapse()
            #expect(app.phone.banner == nil)
            #expect(app.notifications.count == 1)
        }
    }

    @Test("the time of another banner goes on")
    func another() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "one")
            try await app.phone.screen.expand("one", in: app.bundleID)
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "two")
            try await app.advance(by: .seconds(60))
            #expect(app.phone.banner == nil)
        }
    }
}
