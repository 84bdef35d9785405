import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UserNotifications

@MainActor
@Suite("Signing out takes away what was the user's, and nothing else")
struct SignOutTests {
    private func add(_ identifier: String, _ fixture: AppFixture, userInfo: [String: Any] = [:], after: Double? = nil)
        async throws
    {
        let content = UNMutableNotificationContent()
        content.title = identifier
        content.userInfo = userInfo
        let trigger = after.map { UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false) }
        try await fixture.app?.center?.add(
            UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }

    @Test("the app's own notifications stay, reminders too, and another SDK's")
    func onlyOurs() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.visible("m1")
            try await fixture.push(["aps": ["alert": "A"], "other": 1], type: .alert, collapseID: "theirs")
            try await add("own", fixture)
            try await add("reminder", fixture, after: 3600)
            try await add("m1 again", fixture, userInfo: ["carillon": ["v": 1, "id": "m1"]], after: 3600)
            try await fixture.settle()
            #expect(fixture.onScreen == ["m1", "own", "theirs"] && fixture.waiting == ["m1 again", "reminder"])
            await fixture.app?.carillon?.signOut()
            try await fixture.settle()
            #expect(fixture.onScreen == ["own", "theirs"] && fixture.waiting == ["reminder"])
        }
    }

    @Test("what the app was told of before the sign-out, and stays in the list, it is not told again")
    func notAgain() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.push(["aps": ["alert": "A"], "other": 1], type: .alert, collapseID: "theirs")
            try await fixture.open()
            try await fixture.settle()
            await fixture.app?.carillon?.signOut()
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message theirs: A"])
        }
    }

    @Test("iOS is asked for time, so that a person who signs out and leaves is signed out")
    func leavesAtOnce() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            let slow = SlowTransport(fixture.service)
            plan.transport = slow
            try await fixture.openAllowed(plan)
            let carillon = try #require(fixture.app?.carillon)
            slow.hold()
            let signOut = Task { await carillon.signOut() }
            try await slow.arrival()
            try await fixture.leave()
            slow.release()
            await signOut.value
            #expect(fixture.service.calls.last == "DELETE /v1/devices/ID/user")
            #expect(fixture.service[\.requests].count == slow.answerCount)
        }
    }
}
