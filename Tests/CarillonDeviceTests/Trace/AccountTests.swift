import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// The trace of a push says what took its notification away afterwards.
@MainActor @Suite("The account of a push") struct AccountTests {
    private let id = TestPhone.bundleID

    private func run(
        _ cause: String, _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            let push = try await app.push(["aps": ["alert": "Hello", "badge": 2]], collapseID: "m1")
            #expect(!push.notes.contains { $0.hasPrefix("no longer in the list") })
            try await body(app)
            try await app.phone.settled()
            let notes = try app.entry(push.number).notes.filter { $0.hasPrefix("no longer in the list") }
            #expect(notes == ["no longer in the list: \(cause)"])
            #expect(try app.entry(push.number).description.contains("  no longer in the list: \(cause)"))
        }
    }

    @Test("a badge of 0 in a later push")
    func badge() async throws {
        try await run("a badge of 0 has cleared the app's list") { try await $0.push(["aps": ["badge": 0]]) }
    }

    @Test("a badge of 0 in the push itself, which is said to be shown nowhere any more")
    func ownBadge() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["badge": 3]])
            let push = try await app.push(["aps": ["alert": "Hello", "badge": 0]])
            #expect(app.notifications.isEmpty)
            #expect(push.notes == ["no longer in the list: a badge of 0 has cleared the app's list"])
        }
    }

    @Test("a removal by the app")
    func removal() async throws {
        try await run("the app has removed it") { app in
            try await app.open()
            await app.phone.run(in: id) {
                UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ["m1"])
            }
        }
    }

    @Test("a newer push with its identifier")
    func replacement() async throws {
        try await run("a newer notification with its identifier has replaced it") {
            try await $0.push(["aps": ["alert": "Hello again"]], collapseID: "m1")
        }
    }

    @Test("the deletion of the app")
    func deletion() async throws {
        try await run("the app was deleted") { try await $0.phone.uninstall(id) }
    }

    @Test("permission that the person takes away in Settings")
    func permission() async throws {
        try await run("the person has switched the app's notifications off in Settings") {
            try $0.phone.settings.setNotificationsAllowed(false, for: id)
        }
    }

    @Test("a tap of the person is not said, since the person knows")
    func tap() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            let push = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.tap("m1")
            #expect(try app.entry(push.number).notes.isEmpty)
        }
    }
}
