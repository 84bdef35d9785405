import CarillonCore
import CarillonDevice
import Testing
import UIKit

@MainActor @Suite("Actions that need authentication") struct AuthenticationTests {
    private let id = TestPhone.bundleID

    /// A locked phone that shows `m1`, whose action `reveal` needs authentication.
    private func locked(_ body: @MainActor (TestPhone) async throws -> Void) async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { AskingApp($0) { $0.categories = [.withSecretAction] } }
            await test.phone.lock()
            try await test.push(["aps": ["alert": "Hello", "category": "secrets"]], collapseID: "m1")
            try await test.phone.choose("reveal", on: "m1", in: id)
            try await test.phone.settled()
            try await body(test)
        }
    }

    @Test("13: a locked phone asks for Face ID; once its owner is recognised it is unlocked, and the action runs")
    func accepted() async throws {
        try await locked { test in
            let sheet = try #require(test.phone.authenticationSheet)
            #expect(sheet.actionTitle == "Reveal" && sheet.notificationID == "m1" && sheet.method == .faceID)
            #expect(!test.callLog.contains("reveal on m1") && test.phone.isLocked)
            try await test.phone.authenticate(true)
            try await test.phone.settled()
            #expect(test.callLog.contains("reveal on m1") && !test.phone.isLocked)
            #expect(test.phone.authenticationSheet == nil)
            #expect(test.phone.deliveredNotifications(of: id).isEmpty)
        }
    }

    @Test("13: whoever cancels leaves phone and notification as they were, and may try again")
    func cancelled() async throws {
        try await locked { test in
            try await test.phone.authenticate(false)
            try await test.phone.settled()
            #expect(test.phone.isLocked && test.phone.authenticationSheet == nil)
            #expect(!test.callLog.contains("reveal on m1"))
            #expect(test.phone.lockScreenNotifications(of: id).count == 1)
            await #expect(throws: PhoneError.self) { try await test.phone.authenticate(true) }
            try await test.phone.choose("reveal", on: "m1", in: id)
            #expect(test.phone.authenticationSheet != nil)
        }
    }

    @Test("the sheet goes with its notification, with an unlock, and when the phone is switched off")
    func closes() async throws {
        try await locked { test in
            try await test.phone.dismiss("m1", in: id)
            #expect(test.phone.authenticationSheet == nil)
        }
        try await locked { test in
            await test.phone.unlock()
            #expect(test.phone.authenticationSheet == nil)
        }
        try await locked { test in
            await test.phone.restart()
            #expect(test.phone.authenticationSheet == nil)
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
