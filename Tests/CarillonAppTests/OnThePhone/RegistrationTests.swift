import CarillonApp
import CarillonCore
import CarillonDevice
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Registration, sign-in and receipts on the phone")
struct RegistrationTests {
    @Test("a first launch registers, tells of the permission once it is given, and a second launch says nothing")
    func registersChanges() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed()
            #expect(bench.service.changes == [DeviceChange(permission: .authorized)])
            let registration = try #require(bench.service.registrations.last)
            #expect(registration.token.data == bench.phone.deviceToken(of: Bench.bundleID))
            #expect(registration.topic == Bench.bundleID && registration.environment == .sandbox)
            let count = bench.service.registrations.count
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.open()
            try await bench.settle()
            #expect(bench.service.registrations.count == count)
            #expect(bench.service.calls.last == "GET /v1/devices/ID/sync")
        }
    }

    @Test("a permission taken away in Settings is told when the app comes back")
    func permissionChanges() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try bench.phone.setNotificationsAllowed(false, for: Bench.bundleID)
            try await bench.open()
            try await bench.settle()
            #expect(bench.service.changes.last == DeviceChange(permission: .denied))
            #expect(bench.diary.lines.last == "permission denied")
        }
    }

    @Test("signing in binds with a token, and signing out clears the phone at once and the service when it can")
    func signInAndOut() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed(try bench.plan(signInToken: "user-token"))
            let carillon = try #require(bench.app?.carillon)
            carillon.signIn()
            try await bench.settle()
            #expect(carillon.user == "user-token")
            bench.service[\.unread] = 4
            try await bench.goHome()
            try await bench.silent("m1")
            #expect(bench.phone.badge(of: Bench.bundleID) == 4)
            bench.service[\.isDown] = true
            try await bench.open()
            await carillon.signOut()
            try await bench.settle()
            #expect(bench.onScreen.isEmpty && bench.phone.badge(of: Bench.bundleID) == 0)
            #expect(bench.service[\.user] == "user-token")
            try await bench.phone.forceQuit(Bench.bundleID)
            bench.service[\.isDown] = false
            bench.service[\.unread] = nil
            try await bench.open()
            try await bench.settle()
            #expect(bench.service[\.user] == nil)
            #expect(bench.service.calls.contains("DELETE /v1/devices/ID/user"))
        }
    }

    @Test("after an offline sign-out nothing of the old user is shown")
    func signedOutOffline() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed(try bench.plan(signInToken: "user-token"))
            bench.service[\.isDown] = true
            await bench.app?.carillon?.signOut()
            try await bench.goHome()
            try await bench.silent("m1")
            #expect(bench.onScreen.isEmpty)
        }
    }

    @Test("what was on its way when the person signed out is not shown to whoever comes next")
    func lateForTheOldUser() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed(try bench.plan(signInToken: "user-token"))
            let before = bench.clock.now
            bench.clock.advance(by: .seconds(10))
            await bench.app?.carillon?.signOut()
            bench.app?.carillon?.signIn()
            try await bench.settle()
            try await bench.goHome()
            var key = CarillonKey(id: try MessageID("m1"), now: before)
            key.silent = ["alert": "for the old one"]
            try await bench.push(["aps": ["content-available": 1], "carillon": key.json])
            #expect(bench.onScreen.isEmpty)
            try await bench.silent("m2")
            #expect(bench.onScreen == ["m2"])
        }
    }

    @Test("receipts outlive the app and are never counted twice, though an answer was lost")
    func receiptsSurvive() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            bench.service[\.refusals] = [503]
            let push = try await bench.silent("m1")
            #expect(push.wake?.answer == .newData)
            #expect(bench.service.receipts.isEmpty)
            try await bench.phone.forceQuit(Bench.bundleID)
            bench.clock.advance(by: .seconds(60))
            try await bench.open()
            try await bench.settle()
            #expect(bench.service.receipts == ["received m1", "shown m1"])
            #expect(Set(bench.service[\.receipts].map(\.id)).count == 2)
        }
    }

    @Test("a push that the network doubles alerts twice where there is no extension, and the second time is reported")
    func doubledPush() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            for _ in 0..<3 {
                try await bench.visible("m1")
                bench.clock.advance(by: .seconds(2))
            }
            try await bench.settle()
            #expect(bench.onScreen == ["m1"])
            let shown = bench.service.receipts.filter { $0.hasPrefix("shown") }
            #expect(shown == ["shown m1", "shown m1 again"])
        }
    }

    @Test("a service that has forgotten the installation is told again at once")
    func forgotten() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            let count = bench.service.registrations.count
            bench.service[\.refusals] = [401]
            try await bench.open()
            try await bench.settle()
            #expect(bench.service.registrations.count == count + 1)
        }
    }

    @Test("an id that belongs to another secret is given up for a new one")
    func conflict() async throws {
        try await Bench.run { bench in
            bench.service[\.refusals] = [403]
            try await bench.openAllowed()
            let registrations = bench.service.registrations
            #expect(registrations.count >= 2)
            #expect(registrations[0].installation != registrations[1].installation)
        }
    }

    @Test("a person's objection to receipts is kept")
    func optOut() async throws {
        try await Bench.run { bench in
            try await bench.openAllowed()
            bench.app?.carillon?.writesReceipts = false
            try await bench.goHome()
            try await bench.silent("m1")
            #expect(bench.onScreen == ["m1"] && bench.service.receipts.isEmpty)
        }
    }

    @Test(
        "a silent refresh is answered honestly",
        arguments: [
            (UIBackgroundFetchResult.newData, PushTrace.Wake.Answer.newData), (.noData, .noData), (.failed, .failed),
        ])
    func refresh(result: UIBackgroundFetchResult, answer: PushTrace.Wake.Answer) async throws {
        try await Bench.run { bench in
            var plan = try bench.plan()
            plan.onRefresh = { result }
            try await bench.suspended(plan)
            let push = try await bench.push(["aps": ["content-available": 1]])
            #expect(push.wake?.answer == answer && push.wake?.answerCount == 1)
        }
    }

    @Test("a refresh that never ends is cut off after 25 seconds, once, and is reported")
    func neverEnds() async throws {
        try await Bench.run { bench in
            var plan = try bench.plan()
            let clock = bench.clock
            plan.onRefresh = {
                try? await clock.sleep(for: .seconds(3600))
                return .newData
            }
            try await bench.suspended(plan)
            let number = await bench.phone.receive(
                IncomingPush(
                    topic: Bench.bundleID, pushType: .background,
                    payload: try JSONValue.object(["aps": ["content-available": 1]]).encoded(), apnsID: UUID(),
                    priority: 5))
            try await bench.phone.until("the refresh has begun") { _ in clock.nextDeadline != nil }
            clock.advance(by: .seconds(26))
            try await bench.phone.settled()
            let wake = bench.phone.traces.first { $0.number == number }?.wake
            #expect(wake?.answer == .failed && wake?.answerCount == 1)
            #expect(bench.log.all.contains(.completionWasLate(name: "didReceiveRemoteNotification")))
            clock.advance(by: .seconds(3600))
        }
    }
}
