import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Registration, sign-in and receipts on the phone")
struct RegistrationTests {
    @Test("a service that always names another token makes one new installation a launch, and no more")
    func alwaysAnother() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let first = try #require(fixture.app?.carillon?.installationID)
            fixture.service[\.tokenEnd] = "00000000"
            for _ in 0..<3 {
                try await fixture.goHome()
                try await fixture.open()
                try await fixture.settle()
            }
            #expect(Set(fixture.service.registrations.map(\.installation)).count == 2)
            #expect(fixture.app?.carillon?.installationID != first)
            #expect(fixture.log.all.count { $0 == .installationWasCopied } == 1)
        }
    }

    @Test("an App ID without push notifications gets no token: the app is told, in iOS's words, and goes on")
    func noEntitlement() async throws {
        try await AppFixture.run { fixture in
            fixture.install(try fixture.plan(), environment: nil)
            try await fixture.open()
            try await fixture.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
            try await fixture.phone.answerPermission(allow: true)
            try await fixture.settle()
            let reasons = fixture.log.all.compactMap { event in
                if case .noDeviceToken(let reason) = event { reason } else { nil }
            }
            #expect(reasons.count == 1 && reasons.allSatisfy { $0.contains("aps-environment") }, "\(reasons)")
            #expect(fixture.service.registrations.isEmpty)
            #expect(fixture.phone.deviceToken(of: AppFixture.bundleID) == nil)
            #expect(fixture.app?.carillon?.authorizationStatus == .authorized)
        }
    }

    @Test("a first launch registers, tells of the permission once it is given, and a second launch says nothing")
    func registersChanges() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            // The person may answer before the registration is sent, or after.
            let told = fixture.service.registrations.map { JSONValue.string($0.facts.permission.rawValue) }
            #expect((told + fixture.service.changes.compactMap { $0.facts["permission"] }).last == "authorized")
            let registration = try #require(fixture.service.registrations.last)
            #expect(registration.token.data == fixture.phone.deviceToken(of: AppFixture.bundleID))
            #expect(registration.topic == AppFixture.bundleID && registration.environment == .sandbox)
            let count = fixture.service.registrations.count
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.registrations.count == count)
            #expect(fixture.service.calls.last == "GET /v1/devices/ID/sync")
        }
    }

    @Test("a permission taken away in Settings is told when the app comes back")
    func permissionChanges() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try fixture.phone.settings.setNotificationsAllowed(false, for: AppFixture.bundleID)
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.changes.last == DeviceChange(permission: .denied))
            #expect(fixture.callbackLog.lines.last == "permission denied")
        }
    }

    @Test("signing in binds with a token, and signing out clears the phone at once and the service when it can")
    func signInAndOut() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "user-token"))
            let carillon = try #require(fixture.app?.carillon)
            carillon.signIn()
            try await fixture.settle()
            #expect(carillon.user == "user-token")
            fixture.service[\.unread] = 4
            try await fixture.goHome()
            try await fixture.silent("m1")
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 4)
            fixture.service[\.isDown] = true
            try await fixture.open()
            await carillon.signOut()
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty && fixture.phone.badge(of: AppFixture.bundleID) == 0)
            #expect(fixture.service[\.user] == "user-token")
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            fixture.service[\.isDown] = false
            fixture.service[\.unread] = nil
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service[\.user] == nil)
            #expect(fixture.service.calls.contains("DELETE /v1/devices/ID/user"))
        }
    }

    @Test("after an offline sign-out nothing of the old user is shown")
    func signedOutOffline() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "user-token"))
            fixture.service[\.isDown] = true
            await fixture.app?.carillon?.signOut()
            try await fixture.goHome()
            try await fixture.silent("m1")
            #expect(fixture.onScreen.isEmpty)
        }
    }

    @Test("what was on its way when the person signed out is not shown to whoever comes next")
    func lateForTheOldUser() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed(try fixture.plan(signInToken: "user-token"))
            let before = fixture.clock.now
            fixture.clock.advance(by: .seconds(10))
            await fixture.app?.carillon?.signOut()
            fixture.app?.carillon?.signIn()
            try await fixture.settle()
            try await fixture.goHome()
            var key = CarillonKey(id: try MessageID("m1"), now: before)
            key.silent = ["alert": "for the old one"]
            try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
            #expect(fixture.onScreen.isEmpty)
            try await fixture.silent("m2")
            #expect(fixture.onScreen == ["m2"])
        }
    }

    @Test("receipts that the service refuses for a while wait for that time, and by chance for longer")
    func retryAfter() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.refusals] = [503]
            fixture.service[\.retryAfter] = "30"
            try await fixture.silent("m1")
            fixture.clock.advance(by: .milliseconds(29_999))
            try await fixture.silent("m2")
            #expect(fixture.service.receipts.isEmpty)
            fixture.clock.advance(by: .milliseconds(30_001))
            try await fixture.silent("m3")
            #expect(fixture.service.receipts.contains("received m1"))
        }
    }

    @Test("receipts outlive the app and are never counted twice, though an answer was lost")
    func receiptsSurvive() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.service[\.refusals] = [503]
            let push = try await fixture.silent("m1")
            #expect(push.wake?.answer == .newData)
            #expect(fixture.service.receipts.isEmpty)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            fixture.clock.advance(by: .seconds(60))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.receipts == ["received m1", "shown m1"])
            #expect(Set(fixture.service[\.receipts].map(\.id)).count == 2)
        }
    }

    @Test("a push that the network doubles alerts twice where there is no extension, and the second time is reported")
    func doubledPush() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            for _ in 0..<3 {
                try await fixture.visible("m1")
                fixture.clock.advance(by: .seconds(2))
            }
            try await fixture.settle()
            #expect(fixture.onScreen == ["m1"])
            let shown = fixture.service.receipts.filter { $0.hasPrefix("shown") }
            #expect(shown == ["shown m1", "shown m1 again"])
        }
    }

    @Test("a service that has forgotten the installation is told again at once")
    func forgotten() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let count = fixture.service.registrations.count
            fixture.service[\.problems] = [StubService.Problem(status: 401, name: "unauthorized")]
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.registrations.count == count + 1)
        }
    }

    @Test("an id that belongs to another secret is given up for a new one")
    func conflict() async throws {
        try await AppFixture.run { fixture in
            fixture.service[\.problems] = [StubService.Problem(status: 403, name: "wrong-secret")]
            try await fixture.openAllowed()
            let registrations = fixture.service.registrations
            #expect(registrations.count >= 2)
            #expect(registrations[0].installation != registrations[1].installation)
        }
    }

    @Test("a person's objection to receipts is kept")
    func optOut() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            fixture.app?.carillon?.writesReceipts = false
            try await fixture.goHome()
            try await fixture.silent("m1")
            #expect(fixture.onScreen == ["m1"] && fixture.service.receipts.isEmpty)
        }
    }

    @Test(
        "a silent refresh is answered honestly",
        arguments: [
            (UIBackgroundFetchResult.newData, PushTrace.Wake.Answer.newData), (.noData, .noData), (.failed, .failed),
        ])
    func refresh(result: UIBackgroundFetchResult, answer: PushTrace.Wake.Answer) async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.onRefresh = { result }
            try await fixture.suspended(plan)
            let push = try await fixture.push(["aps": ["content-available": 1]])
            #expect(push.wake?.answer == answer && push.wake?.answerCount == 1)
        }
    }

    @Test("a refresh that never ends is cut off after 25 seconds, once, and is reported")
    func neverEnds() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            let clock = fixture.clock
            plan.onRefresh = {
                try? await clock.sleep(for: .seconds(3600))
                return .newData
            }
            try await fixture.suspended(plan)
            let number = await fixture.phone.receive(
                IncomingPush(
                    topic: AppFixture.bundleID, pushType: .background,
                    payload: try JSONValue.object(["aps": ["content-available": 1]]).encoded(), apnsID: UUID(),
                    priority: 5))
            try await fixture.phone.until("the refresh has begun") { _ in clock.nextDeadline != nil }
            clock.advance(by: .seconds(26))
            try await fixture.phone.settled()
            let wake = fixture.phone.traces.first { $0.number == number }?.wake
            #expect(wake?.answer == .failed && wake?.answerCount == 1)
            #expect(fixture.log.all.contains(.completionWasLate(name: "didReceiveRemoteNotification")))
            clock.advance(by: .seconds(3600))
        }
    }
}
