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
            var plan = try fixture.plan(signInToken: "anna")
            plan.configuration.fetchesInbox = true
            try await fixture.suspended(plan)
            try await fixture.visible("m1")
            try await number(3, fixture)
            try await fixture.open()
            try await fixture.settle()
            let calls = fixture.service.calls.count
            try await number(0, fixture)
            #expect(fixture.badge == 0 && fixture.onScreen == ["m1"])
            #expect(fixture.service.calls.dropFirst(calls) == [], "nothing new has come")
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(!fixture.service.receipts.contains { $0.hasSuffix("again") })
        }
    }

    @Test("what the person removes while a number that is 0 is set to 0 is not put back, at whatever moment")
    func removedMeanwhile() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            for turns in 0..<40 {
                try await fixture.push(["aps": ["alert": "A"], "other": 1], type: .alert, collapseID: "theirs")
                #expect(fixture.onScreen == ["theirs"])
                async let set: Void = number(0, fixture)
                for _ in 0..<turns { await Task.yield() }
                try await fixture.phone.dismiss("theirs", in: AppFixture.bundleID)
                try await set
                #expect(fixture.onScreen.isEmpty, "removed after \(turns) turns")
            }
        }
    }
}
