import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Both positions of switches that stand for what is uncertain and that no other test moves.
@MainActor @Suite("Switches for what is uncertain") struct SwitchTests {
    private let id = TestPhone.bundleID

    @Test("24: without a collapse id the identifier is the apns-id, or the phone's own", arguments: [true, false])
    func identifier(_ isAPNsID: Bool) async throws {
        var rules = PhoneRules()
        rules.identifierIsAPNsID = isAPNsID
        try await AppUnderTest.run(rules: rules) { app, callLog in
            try await app.suspendAllowed()
            let trace = try await app.push(["aps": ["alert": "Hello"]])
            let shown = try #require(app.shown.first?.identifier)
            #expect(!shown.isEmpty && (shown == trace.apnsID?.uuidString) == isAPNsID)
        }
    }

    @Test("27: a negative badge hides the number and leaves the list, or does nothing", arguments: [true, false])
    func negativeBadge(_ hides: Bool) async throws {
        var rules = PhoneRules()
        rules.negativeBadgeHidesNumber = hides
        try await AppUnderTest.run(rules: rules) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "badge": 4]], collapseID: "m1")
            try await app.phone.openApp(id)
            await app.phone.run(in: id) { UIApplication.shared.applicationIconBadgeNumber = -1 }
            try await app.phone.settled()
            #expect(app.phone.badge(of: id) == (hides ? 0 : 4))
            #expect(app.shown.map(\.identifier) == ["m1"])
        }
    }

    @Test(
        "25: a removal asked for just before the answer waits for the app to run again, or does not",
        arguments: [true, false])
    func removal(_ waits: Bool) async throws {
        var rules = PhoneRules()
        rules.removalsNeedTheAppRunning = waits
        try await AppUnderTest.run(
            rules: rules,
            asking: { callLog in
                AskingApp(callLog) { app in
                    app.onPush = { _, handler in
                        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
                        handler(.newData)
                    }
                }
            }
        ) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.push(["aps": ["content-available": 1]], type: .background)
            #expect(app.shown.map(\.identifier) == (waits ? ["m1"] : []))
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(app.shown.isEmpty)
        }
    }
}
