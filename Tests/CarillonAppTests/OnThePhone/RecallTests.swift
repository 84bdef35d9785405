import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Recall and expiry on the phone")
struct RecallTests {
    @Test("a silent message is made into a notification, then recalled, before each wake is answered")
    func silentThenRecalled() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let shown = try await fixture.silent("m1", "Hello")
            #expect(fixture.onScreen == ["m1"])
            #expect(shown.wake?.answer == .newData && shown.wake?.answerCount == 1)
            let content = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content
            #expect(content?.title == "News" && content?.body == "Hello" && content?.sound == .default)
            let removed = try await fixture.removal("m1")
            #expect(fixture.onScreen.isEmpty)
            #expect(removed.wake?.answer == .newData)
            #expect(fixture.phone.runningState(of: AppFixture.bundleID) == .suspended)
            #expect(fixture.service.receipts == ["received m1", "shown m1", "recalled m1"])
        }
    }

    @Test("a removal that overtakes its message still wins, after a relaunch too")
    func overtaken() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.removal("m1")
            try fixture.phone.system.terminate(AppFixture.bundleID)
            let late = try await fixture.silent("m1")
            #expect(late.wake?.kind == .launched && late.wake?.answer == .noData)
            #expect(fixture.onScreen.isEmpty)
            try await fixture.visible("m1")
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts.filter { $0 == "recalled m1" }.count == 1)
            #expect(!fixture.service.receipts.contains("shown m1"))
        }
    }

    @Test("with recall switched off the notification stays: the difference is the SDK's doing")
    func disabled() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended(try fixture.plan(carriesOutRecalls: false))
            try await fixture.silent("m1")
            try await fixture.removal("m1")
            #expect(fixture.onScreen == ["m1"])
            #expect(!fixture.service.receipts.contains("recalled m1"))
        }
    }

    @Test("a visible push carries removals along, and its own message is claimed shown from the list")
    func visibleCarriesRemovals() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.visible("old")
            try await fixture.visible("new", removals: ["old"])
            #expect(fixture.onScreen == ["new"])
            #expect(
                Set(fixture.service.receipts) == [
                    "received old", "shown old", "received new", "shown new", "recalled old",
                ])
        }
    }

    @Test("what was recalled while the app was force-quit goes at its next launch")
    func reconciled() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            #expect(fixture.onScreen == ["m1"])
            fixture.service[\.removals] = ["m1"]
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts == ["shown m1", "recalled m1"])
            #expect(fixture.service[\.removals].isEmpty)
        }
    }

    @Test("a message that arrives after its end is not shown, and says why")
    func expiredOnArrival() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let push = try await fixture.silent("m1", until: fixture.clock.now - .seconds(1))
            #expect(push.wake?.answer == .noData)
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts == ["received m1", "expired m1 arrived-late"])
            try await fixture.visible("m2", until: fixture.clock.now - .seconds(1))
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts.last == "expired m2 arrived-late")
        }
    }

    @Test("what expires on the screen goes when the app next runs")
    func expiredOnScreen() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.silent("m1", until: fixture.clock.now + .seconds(60))
            fixture.clock.advance(by: .seconds(61))
            #expect(fixture.onScreen == ["m1"])
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts.last == "expired m1 removed-from-screen")
        }
    }

    @Test(
        "what a launch has done is reported although the app ends while the service does not answer",
        .timeLimit(.minutes(5)))
    func endsUnanswered() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.silent("m1", until: fixture.clock.now + .seconds(60))
            try fixture.end()
            fixture.clock.advance(by: .seconds(61))
            let service = fixture.service
            service[\.isMute] = true
            let before = service.calls.count
            try await fixture.open()
            // The launch waits for an answer then.
            while service.calls.count == before { try await fixture.rest() }
            #expect(fixture.onScreen.isEmpty)
            try fixture.end()
            service[\.isMute] = false
            try await fixture.open()
            try await fixture.settle()
            #expect(service.receipts.last == "expired m1 removed-from-screen")
        }
    }

    @Test("what came after its recall or its end while the app could not run goes at the next launch, unheard of")
    func recalledOrExpiredMeanwhile() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.removal("m1")
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            try await fixture.visible("m2", until: fixture.clock.now + .seconds(60))
            try await fixture.visible("m3")
            #expect(fixture.onScreen == ["m1", "m2", "m3"])
            fixture.clock.advance(by: .seconds(61))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen == ["m3"])
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message m3: text"])
            #expect(fixture.service.receipts.contains("expired m2 removed-from-screen"))
        }
    }

    @Test("a message that was read inside the app leaves the list and is reported opened")
    func readInside() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.silent("m1")
            try await fixture.open()
            try await fixture.settle()
            fixture.app?.carillon?.markRead(try MessageID("m1"))
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts.last == "opened m1")
        }
    }

    @Test("a phone whose clock is three hours ahead does not take what is current for expired")
    func wrongClock() async throws {
        try await AppFixture.run(serviceLead: .seconds(-3 * 3600)) { fixture in
            try await fixture.suspended()
            let serviceNow = fixture.clock.now - .seconds(3 * 3600)
            var key = CarillonKey(id: try MessageID("m1"), now: serviceNow, until: serviceNow + .seconds(60))
            key.silent = ["alert": "current"]
            try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
            #expect(fixture.onScreen == ["m1"])
        }
    }

    @Test("the article's two payloads work to the letter")
    func deletablePush() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.push(["aps": ["content-available": 1], "crt": 1, "title": "hello there"])
            try await fixture.push(["aps": ["content-available": 1], "crt": 2, "title": "hello there again"])
            #expect(fixture.onScreen == ["com.pushwoosh.notification.1", "com.pushwoosh.notification.2"])
            let deleted = try await fixture.push(["aps": ["content-available": 1], "dlt": 1])
            #expect(deleted.wake?.answer == .newData)
            #expect(fixture.onScreen == ["com.pushwoosh.notification.2"])
            #expect(fixture.service.receipts.isEmpty)
        }
    }

    @Test("an app uses its ids again: after a tap, after a removal, and in the push that removes")
    func idsComeRoundAgain() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let name = "com.pushwoosh.notification.1"
            @MainActor func create(_ title: String, _ more: [String: JSONValue] = [:]) async throws {
                let payload: [String: JSONValue] = [
                    "aps": ["content-available": 1], "crt": 1, "title": .string(title),
                ]
                try await fixture.push(.object(payload.merging(more) { _, new in new }))
                let titles = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).map(\.request.content.title)
                #expect(titles == [title])
            }
            try await create("first")
            try await fixture.phone.tap(name, in: AppFixture.bundleID)
            try await fixture.settle()
            try await fixture.goHome()
            try await create("after the tap")
            try await create("in its place")
            try await create("removed and created", ["dlt": 1])
            try await fixture.push(["aps": ["content-available": 1], "dlt": 1])
            let isGone = fixture.onScreen.isEmpty
            #expect(isGone)
            try await create("after its removal")
            try await fixture.phone.dismiss(name, in: AppFixture.bundleID)
            try await fixture.push(["aps": ["content-available": 1], "dlt": 7])
            fixture.clock.advance(by: .seconds(301))
            try await fixture.push(["aps": ["content-available": 1], "crt": 7, "title": "long after"])
            #expect(fixture.onScreen == ["com.pushwoosh.notification.7"])
            let told = fixture.callbackLog.lines.filter { $0.hasPrefix("message") }
            #expect(told.count == 6, "each reaches the app: \(told)")
        }
    }

    @Test("Infobip's silent message is shown while it is valid, and dropped after it")
    func infobip() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            let now = fixture.clock.now.millisecondsSince1970
            func message(_ id: String, validUntil: Int64) -> JSONValue {
                [
                    "aps": ["content-available": 1], "messageId": .string(id),
                    "internalData": ["silent": ["title": "T", "body": "B"], "validUntil": .int(validUntil)],
                ]
            }
            let valid = try await fixture.push(message("i1", validUntil: now + 1000))
            let expired = try await fixture.push(message("i2", validUntil: now - 1000))
            #expect(fixture.onScreen == ["i1"])
            #expect(valid.wake?.answer == .newData && expired.wake?.answer == .noData)
        }
    }

    @Test("a resend of what was shown changes nothing, and alerts nobody")
    func resend() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.silent("m1")
            let sounds = fixture.phone.sounds.count
            try await fixture.phone.dismiss("m1", in: AppFixture.bundleID)
            let again = try await fixture.silent("m1", attempt: 2)
            #expect(again.wake?.answer == .noData)
            #expect(fixture.onScreen.isEmpty && fixture.phone.sounds.count == sounds)
        }
    }
}
