import CarillonCore
import CarillonDevice
import CarillonUserInfo
import Foundation
import Testing
import UIKit
import UserNotifications

@testable import CarillonApp
@testable import CarillonMessaging

/// Tests of the SDK in situations that no demo reaches, such as a restart, a restored backup or a changed clock.
@MainActor @Suite("What iOS does to the SDK") struct OnARealPhoneTests {
    @Test("before the first unlock after a restart it speaks to nobody; afterwards it is who it was, and catches up")
    func beforeFirstUnlock() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended(try fixture.plan(signInToken: "ada"))
            let installation = try #require(fixture.app?.carillon?.installationID)
            await fixture.phone.restart()
            let calls = fixture.service.calls.count
            try await fixture.silent("m1")
            let carillon = try #require(fixture.app?.carillon, "the push has launched the app")
            #expect(carillon.installationID == nil && fixture.service.calls.count == calls)
            #expect(fixture.log.all.contains { if case .storeIsUnavailable = $0 { true } else { false } })
            await fixture.phone.unlock()
            try await fixture.silent("m2")
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.app?.carillon?.installationID == installation)
            #expect(Set(fixture.service.registrations.map(\.installation)) == [installation])
            #expect(fixture.service.receipts.contains("received m1") && fixture.service.receipts.contains("shown m2"))
            #expect(fixture.onScreen == ["m1", "m2"])
        }
    }

    @Test("an app that runs when its files can be read again hears of it, and reconciles")
    func filesBecomeReadable() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let installation = try #require(fixture.app?.carillon?.installationID)
            await fixture.phone.restart()
            try await fixture.silent("m1")
            let calls = fixture.service.calls.count
            await fixture.phone.unlock()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.app?.carillon?.installationID == installation && fixture.service.calls.count > calls)
            #expect(fixture.service.receipts.contains("received m1"))
        }
    }

    @Test("a phone that was restored from another's backup is an installation of its own, and the other goes on")
    func restored() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            let first = try #require(fixture.app?.carillon?.installationID)
            fixture.service[\.isDown] = true
            try await fixture.visible("m1")
            fixture.service[\.isDown] = false
            let second = Phone(
                configuration: PhoneConfiguration(
                    id: "second", name: "Second", clock: fixture.clock, storage: fixture.storage, seed: 2))
            try await second.restore(from: fixture.phone)
            let receipts = fixture.service.receipts.count
            try await second.openApp(AppFixture.bundleID)
            for _ in 0..<3 {
                try await second.settled()
                await (second.delegate(of: AppFixture.bundleID) as? HostApp)?.carillon?.settle()
            }
            let installations = fixture.service.registrations.map(\.installation)
            #expect(installations.count == 2 && installations.first == first && installations.last != first)
            #expect(fixture.service.receipts.count == receipts, "those are the other phone's to send")
            await second.shutDown()
            try await fixture.goHome()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.app?.carillon?.installationID == first && fixture.service.registrations.count == 2)
        }
    }

    @Test("a clock that is set back during a wake does not delay the completion handler")
    func clockSetBack() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.onRefresh = { [clock = fixture.clock] in
                try? await clock.sleep(for: .seconds(3600))
                return .newData
            }
            try await fixture.suspended(plan)
            let number = await fixture.phone.receive(
                IncomingPush(
                    topic: AppFixture.bundleID, pushType: .background,
                    payload: try JSONValue.object(["aps": ["content-available": 1]]).encoded(), apnsID: UUID(),
                    priority: 5))
            try await fixture.phone.until("the refresh has begun") { _ in fixture.clock.nextDeadline != nil }
            fixture.phoneClock.turn(by: .seconds(-7200))
            fixture.clock.advance(by: .seconds(26))
            try await fixture.phone.settled()
            let wake = fixture.phone.traces.first { $0.number == number }?.wake
            #expect(wake?.answer == .failed && wake?.answerCount == 1)
            fixture.clock.advance(by: .seconds(3600))
        }
    }

    @Test("null in a silent push is left out of the notification, which iOS would refuse with it")
    func nulls() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            var key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now)
            key.silent = ["alert": ["title": "News"]]
            try await fixture.push(
                [
                    "aps": ["content-available": 1], "carillon": key.json, "nothing": .null,
                    "some": ["a": .null, "b": [1, .null]],
                ], collapseID: "m1")
            #expect(fixture.onScreen == ["m1"])
            let shown = try #require(fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first)
            let userInfo = try #require(JSONValue(foundation: shown.request.content.userInfo))
            #expect(userInfo["nothing"] == nil && userInfo["some"] == ["b": [1]])
        }
    }

    @Test("a misspelt App Group is told, by the app and by its extension")
    func appGroup() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.appGroup = "group.hots"
            try await fixture.openAllowed(plan)
            #expect(fixture.log.all.contains(.appGroupIsUnusable("group.hots")))
            #expect(fixture.service.registrations.count == 1)
        }
        try await AppFixture.run { fixture in
            let log = EventLog()
            try await HostExtension.suspended(fixture, .init(appGroup: "group.hots", log: log))
            try await fixture.visible("m1")
            #expect(log.all.contains(.appGroupIsUnusable("group.hots")))
            #expect(!fixture.log.all.contains(.appGroupIsUnusable("group.host")))
        }
    }
}
