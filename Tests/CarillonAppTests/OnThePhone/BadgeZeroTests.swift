import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UserNotifications

/// Nobody outside Apple knows for all versions of iOS whether a badge of 0 empties the list: the SDK is right in both cases.
@MainActor
@Suite("A badge of 0 removes the number, whatever iOS then does to the list, and loses nothing of it")
struct BadgeZeroTests {
    private func rules(clearsList: Bool) -> PhoneRules {
        var rules = PhoneRules()
        rules.badgeZeroClearsList = clearsList
        // As reported of iOS 18: a negative number does nothing.
        rules.negativeBadgeHidesNumber = false
        return rules
    }

    private func number(_ count: Int, _ fixture: AppFixture) async throws {
        let key = CarillonKey(now: fixture.clock.now, badge: count)
        try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
        try await fixture.settle()
    }

    @Test("in the background", arguments: [true, false])
    func background(clearsList: Bool) async throws {
        try await AppFixture.run(rules: rules(clearsList: clearsList)) { fixture in
            try await fixture.suspended()
            try await fixture.visible("m1")
            try await fixture.push(["aps": ["alert": "A"], "other": 1], type: .alert, collapseID: "theirs")
            try await number(3, fixture)
            #expect(fixture.badge == 3)
            let sounds = fixture.phone.sounds.count
            try await number(0, fixture)
            #expect(fixture.badge == 0 && fixture.onScreen == ["m1", "theirs"])
            #expect(fixture.phone.sounds.count == sounds)
            #expect(!fixture.service.receipts.contains { $0.hasPrefix("dismissed") || $0.hasSuffix("again") })
        }
    }

    @Test("in the foreground, where iOS asks how to show what is put back", arguments: [true, false])
    func foreground(clearsList: Bool) async throws {
        try await AppFixture.run(rules: rules(clearsList: clearsList)) { fixture in
            try await fixture.suspended()
            try await fixture.visible("m1")
            try await number(3, fixture)
            try await fixture.open()
            try await fixture.settle()
            try await number(0, fixture)
            #expect(fixture.badge == 0 && fixture.onScreen == ["m1"])
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(!fixture.service.receipts.contains { $0.hasSuffix("again") })
        }
    }
}
