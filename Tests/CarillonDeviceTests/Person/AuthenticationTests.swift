import CarillonCore
import CarillonDevice
import Testing
import UIKit

@MainActor @Suite("Actions that need authentication") struct AuthenticationTests {
    private let id = TestPhone.bundleID

    /// A locked phone that shows `m1`, whose action `reveal` needs authentication.
    private func locked(_ body: @MainActor (AppUnderTest, CallLog) async throws -> Void) async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.categories = [.withSecretAction] } }) { app, callLog in
            try await app.suspendAllowed()
            await app.phone.lock()
            try await app.push(["aps": ["alert": "Hello", "category": "secrets"]], collapseID: "m1")
            try await app.phone.choose("reveal", on: "m1", in: id)
            try await app.phone.settled()
            try await body(app, callLog)
        }
    }

    @Test("13: a locked phone asks for Face ID; once its owner is recognised it is unlocked, and the action runs")
    func accepted() async throws {
        try await locked { app, callLog in
            let sheet = try #require(app.phone.authenticationSheet)
            #expect(sheet.actionTitle == "Reveal" && sheet.notificationID == "m1" && sheet.method == .faceID)
            #expect(!callLog.contains("reveal on m1") && app.phone.isLocked)
            try await app.phone.authenticate(true)
            try await app.phone.settled()
            #expect(callLog.contains("reveal on m1") && !app.phone.isLocked)
            #expect(app.phone.authenticationSheet == nil)
            #expect(app.notifications.isEmpty)
        }
    }

    @Test("13: whoever cancels leaves phone and notification as they were, and may try again")
    func cancelled() async throws {
        try await locked { app, callLog in
            try await app.phone.authenticate(false)
            try await app.phone.settled()
            #expect(app.phone.isLocked && app.phone.authenticationSheet == nil)
            #expect(!callLog.contains("reveal on m1"))
            #expect(app.phone.lockScreenNotifications(of: id).count == 1)
            await #expect(throws: PhoneError.self) { try await app.phone.authenticate(true) }
            try await app.phone.choose("reveal", on: "m1", in: id)
            #expect(app.phone.authenticationSheet != nil)
        }
    }

    @Test("the sheet goes with its notification, with an unlock, and when the phone is switched off")
    func closes() async throws {
        try await locked { app, _ in
            try await app.phone.dismiss("m1", in: id)
            #expect(app.phone.authenticationSheet == nil)
        }
        try await locked { app, _ in
            await app.phone.unlock()
            #expect(app.phone.authenticationSheet == nil)
        }
        try await locked { app, _ in
            await app.phone.restart()
            #expect(app.phone.authenticationSheet == nil)
        }
    }

    @Test("a phone without a passcode has nobody to ask: it is unlocked, and the action runs")
    func withoutPasscode() async throws {
        try await TestPhone.run(hasPasscode: false) { test in
            try await test.suspendedAllowed { AskingApp($0) { $0.categories = [.withSecretAction] } }
            await test.phone.lock()
            try await test.push(["aps": ["alert": "Hello", "category": "secrets"]], collapseID: "m1")
            try await test.phone.choose("reveal", on: "m1", in: id)
            try await test.phone.settled()
            #expect(test.callLog.contains("reveal on m1") && !test.phone.isLocked)
        }
    }
}
