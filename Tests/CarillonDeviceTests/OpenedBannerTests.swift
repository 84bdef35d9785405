import CarillonCore
import CarillonDevice
import Testing
import UserNotifications

@Suite("A banner under a long press") @MainActor struct OpenedBannerTests {
    @Test("it stays longer than its time, and goes when it is closed")
    func stays() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "n")
            try await test.phone.expand("n", in: TestPhone.bundleID)
            test.clock.advance(by: .seconds(60))
            try await test.phone.settled()
            #expect(test.phone.banner?.notification.request.identifier == "n")
            test.phone.collapse()
            #expect(test.phone.banner == nil)
            #expect(test.phone.deliveredNotifications(of: TestPhone.bundleID).count == 1)
        }
    }

    @Test("the time of another banner goes on")
    func another() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "one")
            try await test.phone.expand("one", in: TestPhone.bundleID)
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "two")
            test.clock.advance(by: .seconds(60))
            try await test.phone.settled()
            #expect(test.phone.banner == nil)
        }
    }
}
