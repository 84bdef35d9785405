import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import TestSupport
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

    private func revision(_ number: Int, _ fixture: AppFixture) async throws {
        let key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now, revision: number)
        let aps: JSONValue = ["alert": "text", "sound": "default"]
        try await fixture.push(["aps": aps, "carillon": key.json], type: .alert, collapseID: "m1")
        try await fixture.settle()
    }

    @Test("what is put back has lost its picture, which iOS has deleted with the list, and nothing else")
    func picture() async throws {
        let server = try WebServer(["/a.png": .zeros(100)])
        defer { server.stop() }
        try await AppFixture.run(rules: rules(clearsList: true)) { fixture in
            try await HostExtension.suspended(fixture, HostExtension.Plan(service: fixture.service))
            try await fixture.visible("m1", media: server.url("/a.png").absoluteString)
            @MainActor func attachments() -> Int? {
                fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content.attachments.count
            }
            #expect(attachments() == 1)
            try await number(3, fixture)
            try await number(0, fixture)
            #expect(fixture.onScreen == ["m1"] && attachments() == 0)
        }
    }

    @Test("a revision alerts, though iOS did not ask about the notification that was put back before it")
    func notAsked() async throws {
        try await AppFixture.run(rules: rules(clearsList: true)) { fixture in
            try await fixture.openAllowed()
            try await revision(1, fixture)
            try await number(3, fixture)
            // iOS does not ask either if the person leaves the app at the wrong moment.
            fixture.app?.center?.delegate = nil
            try await number(0, fixture)
            #expect(fixture.badge == 0)
            fixture.app?.center?.delegate = fixture.app
            let sounds = fixture.phone.sounds.count
            try await revision(2, fixture)
            #expect(fixture.phone.sounds.count == sounds + 1)
            let told = fixture.service[\.receipts].filter { $0.event == .shown }.map { $0.revision ?? 1 }
            #expect(told == [1, 2])
        }
    }

    @Test("a revision alerts, whenever the person left the app while its notification was put back")
    func leftMeanwhile() async throws {
        try await AppFixture.run(rules: rules(clearsList: true)) { fixture in
            try await fixture.openAllowed()
            var quiet: [Int] = []
            for round in 0..<12 {
                try await revision(2 * round + 1, fixture)
                try await number(3, fixture)
                async let set: Void = number(0, fixture)
                for _ in 0..<500 where fixture.onScreen == ["m1"] { await Task.yield() }
                for _ in 0..<round { await Task.yield() }
                await fixture.phone.pressHome()
                try await set
                try await fixture.goHome()
                try await fixture.open()
                try await fixture.settle()
                let sounds = fixture.phone.sounds.count
                try await revision(2 * round + 2, fixture)
                if fixture.phone.sounds.count == sounds { quiet.append(round) }
            }
            #expect(quiet.isEmpty, "no sound in these rounds")
        }
    }
}
