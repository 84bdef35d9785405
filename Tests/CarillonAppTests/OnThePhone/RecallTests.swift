import CarillonApp
import CarillonCore
import CarillonDevice
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Recall and expiry on the phone")
struct RecallTests {
    @Test("a silent message is made into a notification, then recalled, before each wake is answered")
    func silentThenRecalled() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            let shown = try await bench.silent("m1", "Hello")
            #expect(bench.onScreen == ["m1"])
            #expect(shown.wake?.answer == .newData && shown.wake?.answerCount == 1)
            let content = bench.phone.deliveredNotifications(of: Bench.bundleID).first?.request.content
            #expect(content?.title == "News" && content?.body == "Hello" && content?.sound == .default)
            let removed = try await bench.removal("m1")
            #expect(bench.onScreen.isEmpty)
            #expect(removed.wake?.answer == .newData)
            #expect(bench.phone.runningState(of: Bench.bundleID) == .suspended)
            #expect(bench.service.receipts == ["received m1", "shown m1", "recalled m1"])
        }
    }

    @Test("a removal that overtakes its message still wins, after a relaunch too")
    func overtaken() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.removal("m1")
            try bench.phone.terminateBySystem(Bench.bundleID)
            let late = try await bench.silent("m1")
            #expect(late.wake?.kind == .launched && late.wake?.answer == .noData)
            #expect(bench.onScreen.isEmpty)
            try await bench.visible("m1")
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts.filter { $0 == "recalled m1" }.count == 1)
            #expect(!bench.service.receipts.contains("shown m1"))
        }
    }

    @Test("with recall switched off the notification stays: the difference is the SDK's doing")
    func disabled() async throws {
        try await Bench.run { bench in
            try await bench.suspended(try bench.plan(recall: .disabled))
            try await bench.silent("m1")
            try await bench.removal("m1")
            #expect(bench.onScreen == ["m1"])
            #expect(!bench.service.receipts.contains("recalled m1"))
        }
    }

    @Test("a visible push carries removals along, and its own message is claimed shown from the list")
    func visibleCarriesRemovals() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.visible("old")
            try await bench.visible("new", removals: ["old"])
            #expect(bench.onScreen == ["new"])
            #expect(
                Set(bench.service.receipts) == [
                    "received old", "shown old", "received new", "shown new", "recalled old",
                ])
        }
    }

    @Test("what was recalled while the app was force-quit goes at its next launch")
    func reconciled() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.visible("m1")
            #expect(bench.onScreen == ["m1"])
            bench.service[\.removals] = ["m1"]
            try await bench.open()
            try await bench.settle()
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts == ["shown m1", "recalled m1"])
            #expect(bench.service[\.removals].isEmpty)
        }
    }

    @Test("a message that arrives after its end is not shown, and says why")
    func expiredOnArrival() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            let push = try await bench.silent("m1", until: bench.clock.now - .seconds(1))
            #expect(push.wake?.answer == .noData)
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts == ["received m1", "expired m1 arrived-late"])
            try await bench.visible("m2", until: bench.clock.now - .seconds(1))
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts.last == "expired m2 arrived-late")
        }
    }

    @Test("what expires on the screen goes when the app next runs")
    func expiredOnScreen() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.silent("m1", until: bench.clock.now + .seconds(60))
            bench.clock.advance(by: .seconds(61))
            #expect(bench.onScreen == ["m1"])
            try await bench.open()
            try await bench.settle()
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts.last == "expired m1 removed-from-screen")
        }
    }

    @Test("what came after its recall or its end while the app could not run goes at the next launch, unheard of")
    func unwelcome() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.removal("m1")
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.visible("m1")
            try await bench.visible("m2", until: bench.clock.now + .seconds(60))
            try await bench.visible("m3")
            #expect(bench.onScreen == ["m1", "m2", "m3"])
            bench.clock.advance(by: .seconds(61))
            try await bench.open()
            try await bench.settle()
            #expect(bench.onScreen == ["m3"])
            #expect(bench.diary.lines.filter { $0.hasPrefix("message") } == ["message m3: text"])
            #expect(bench.service.receipts.contains("expired m2 removed-from-screen"))
        }
    }

    @Test("a message that was read inside the app leaves the list and is reported opened")
    func readInside() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.silent("m1")
            try await bench.open()
            try await bench.settle()
            bench.app?.carillon?.markRead(try MessageID("m1"))
            try await bench.settle()
            #expect(bench.onScreen.isEmpty)
            #expect(bench.service.receipts.last == "opened m1")
        }
    }

    @Test("a phone whose clock is three hours ahead does not take what is current for expired")
    func wrongClock() async throws {
        try await Bench.run(serviceLead: .seconds(-3 * 3600)) { bench in
            try await bench.suspended()
            let serviceNow = bench.clock.now - .seconds(3 * 3600)
            var key = CarillonKey(id: try MessageID("m1"), now: serviceNow, until: serviceNow + .seconds(60))
            key.silent = ["alert": "current"]
            try await bench.push(["aps": ["content-available": 1], "carillon": key.json])
            #expect(bench.onScreen == ["m1"])
        }
    }

    @Test("the article's two payloads work to the letter")
    func deletablePush() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.push(["aps": ["content-available": 1], "crt": 1, "title": "hello there"])
            try await bench.push(["aps": ["content-available": 1], "crt": 2, "title": "hello there again"])
            #expect(bench.onScreen == ["com.pushwoosh.notification.1", "com.pushwoosh.notification.2"])
            let deleted = try await bench.push(["aps": ["content-available": 1], "dlt": 1])
            #expect(deleted.wake?.answer == .newData)
            #expect(bench.onScreen == ["com.pushwoosh.notification.2"])
            #expect(bench.service.receipts.isEmpty)
        }
    }

    @Test("Infobip's silent message is shown while it is valid, and dropped after it")
    func infobip() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            let now = bench.clock.now.millisecondsSince1970
            func message(_ id: String, validUntil: Int64) -> JSONValue {
                [
                    "aps": ["content-available": 1], "messageId": .string(id),
                    "internalData": ["silent": ["title": "T", "body": "B"], "validUntil": .int(validUntil)],
                ]
            }
            let valid = try await bench.push(message("i1", validUntil: now + 1000))
            let expired = try await bench.push(message("i2", validUntil: now - 1000))
            #expect(bench.onScreen == ["i1"])
            #expect(valid.wake?.answer == .newData && expired.wake?.answer == .noData)
        }
    }

    @Test("a resend of what was shown changes nothing, and alerts nobody")
    func resend() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.silent("m1")
            let sounds = bench.phone.sounds.count
            try await bench.phone.dismiss("m1", in: Bench.bundleID)
            let again = try await bench.silent("m1", attempt: 2)
            #expect(again.wake?.answer == .noData)
            #expect(bench.onScreen.isEmpty && bench.phone.sounds.count == sounds)
        }
    }
}
