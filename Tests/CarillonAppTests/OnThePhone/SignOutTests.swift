import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Synchronization
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

    /// A phone of ada's, with a message in the inbox and a service that can be held.
    private func signedIn(
        _ fixture: AppFixture
    ) async throws -> (carillon: Carillon, slow: SlowTransport, users: Users) {
        let users = Users()
        var plan = try fixture.plan()
        plan.configuration.fetchesInbox = true
        plan.configuration.signInToken = { users.current.withLock(\.self) }
        let slow = SlowTransport(fixture.service)
        plan.transport = slow
        fixture.service[\.inbox] = [
            InboxMessage(
                id: try MessageID("m1"), acceptedAt: fixture.clock.now, until: nil, readAt: nil,
                payload: try Payload(json: ["aps": ["alert": "For ada"]]))
        ]
        try await fixture.openAllowed(plan)
        return (try #require(fixture.app?.carillon), slow, users)
    }

    private final class Users: Sendable {
        let current = Mutex<String?>("ada")
    }

    /// Signs out while requests are held; returns when nobody is signed in on the phone.
    private func signOut(_ carillon: Carillon) async -> Task<Void, Never> {
        let signOut = Task { await carillon.signOut() }
        while carillon.user != nil { await Task.yield() }
        return signOut
    }

    @Test("an inbox that was on its way does not come back", .timeLimit(.minutes(5)))
    func inboxUnderWay() async throws {
        try await AppFixture.run { fixture in
            let (carillon, slow, _) = try await signedIn(fixture)
            #expect(carillon.inbox.map(\.id.rawValue) == ["m1"])
            slow.hold()
            let refresh = Task { await carillon.refreshInbox() }
            try await slow.arrival()
            let signOut = await signOut(carillon)
            slow.release()
            await signOut.value
            #expect(await refresh.value)
            #expect(carillon.inbox.isEmpty)
        }
    }

    @Test("who signs in again while the inbox is on its way gets it all the same", .timeLimit(.minutes(5)))
    func inboxOfTheSame() async throws {
        try await AppFixture.run { fixture in
            let (carillon, slow, _) = try await signedIn(fixture)
            slow.hold()
            let refresh = Task { await carillon.refreshInbox() }
            try await slow.arrival()
            fixture.service[\.inbox] = []
            carillon.signIn()
            slow.release()
            #expect(await refresh.value)
            try await fixture.settle()
            #expect(carillon.user == "ada" && carillon.inbox.isEmpty)
        }
    }

    @Test("the number of an answer that was on its way is not shown", .timeLimit(.minutes(5)))
    func numberUnderWay() async throws {
        try await AppFixture.run { fixture in
            let (carillon, slow, _) = try await signedIn(fixture)
            fixture.service[\.unread] = 5
            slow.hold()
            try carillon.setTags(["news"])
            try await slow.arrival()
            let signOut = await signOut(carillon)
            slow.release()
            // Before the service hears of the sign-out.
            slow.hold()
            try await slow.arrival()
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 0)
            slow.release()
            await signOut.value
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 0)
        }
    }

    @Test("the number in a push that was composed for the former user is not shown")
    func numberOfAPush() async throws {
        try await AppFixture.run { fixture in
            let (carillon, _, _) = try await signedIn(fixture)
            func push(_ number: Int, composed: Timestamp) async throws {
                let key = CarillonKey(now: composed, badge: number)
                try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
            }
            fixture.service[\.isDown] = true
            await carillon.signOut()
            let signedOutAt = fixture.clock.now
            fixture.clock.advance(by: .seconds(2))
            try await push(5, composed: fixture.clock.now)
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 0, "the service has not heard of the sign-out")
            fixture.service[\.isDown] = false
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service[\.user] == nil)
            try await push(4, composed: signedOutAt - .seconds(1))
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 0)
            try await push(3, composed: fixture.clock.now)
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 3)
        }
    }

    @Test(
        "what the next user has read is told, though an answer about the former user came after it",
        .timeLimit(.minutes(5)))
    func readUnderWay() async throws {
        try await AppFixture.run { fixture in
            let (carillon, slow, users) = try await signedIn(fixture)
            slow.hold()
            carillon.markRead(try MessageID("m1"))
            try await slow.arrival()
            let signOut = await signOut(carillon)
            users.current.withLock { $0 = "bob" }
            carillon.signIn()
            carillon.markRead(try MessageID("m1"))
            slow.release()
            await signOut.value
            try await fixture.settle()
            #expect(carillon.user == "bob")
            #expect(fixture.service[\.read].map(\.message.rawValue) == ["m1", "m1"])
        }
    }

    @Test("who signs in has the inbox at once, and none of the user before, also of one who never signed out")
    func inboxOfTheNext() async throws {
        try await AppFixture.run { fixture in
            let (carillon, _, users) = try await signedIn(fixture)
            #expect(carillon.inbox.count == 1)
            await carillon.signOut()
            #expect(carillon.inbox.isEmpty)
            carillon.signIn()
            try await fixture.settle()
            #expect(carillon.inbox.count == 1, "ada is back")
            users.current.withLock { $0 = "bob" }
            fixture.service[\.inbox] = []
            carillon.signIn()
            try await fixture.settle()
            #expect(carillon.user == "bob" && carillon.inbox.isEmpty)
            #expect(fixture.service.calls.suffix(2) == ["PATCH /v1/devices/ID", "GET /v1/devices/ID/inbox"])
            fixture.service[\.inbox] = []
            users.current.withLock { $0 = nil }
            carillon.signIn()
            try await fixture.settle()
            #expect(carillon.user == nil && carillon.inbox.isEmpty)
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
