import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Foundation
import TestSupport
import Testing
import UserNotifications

@MainActor
@Suite("The service extension")
struct ExtensionTests {
    private func suspended(_ fixture: AppFixture, sendsReceipts: Bool = true, maySuppress: Bool = false) async throws {
        try await HostExtension.suspended(
            fixture, HostExtension.Plan(service: sendsReceipts ? fixture.service : nil, maySuppress: maySuppress))
    }

    @Test("after a force-quit, a visible push still takes recalled messages away, and says so")
    func removesAfterForceQuit() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("old")
            try await fixture.visible("new", removals: ["old"])
            #expect(fixture.onScreen == ["new"])
            #expect(fixture.phone.runningState(of: AppFixture.bundleID) == .forceQuit)
            #expect(fixture.service.receipts == ["received old", "shown old", "recalled old", "received new"])
        }
    }

    @Test(
        "a message that was recalled before it came is blanked, or with the entitlement not shown at all",
        arguments: [true, false])
    func recalledFirst(maySuppress: Bool) async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture, maySuppress: maySuppress)
            try await fixture.removal("m1")
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            let sounds = fixture.phone.sounds.count
            try await fixture.visible("m1")
            let body = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content.body
            #expect(body == (maySuppress ? nil : "This message is no longer available."))
            #expect(fixture.phone.sounds.count == sounds && fixture.phone.banner == nil)
        }
    }

    @Test("a message whose recall is in the answer to its own receipts is withheld", arguments: [true, false])
    func recalledWhileReporting(maySuppress: Bool) async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture, maySuppress: maySuppress)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            let sounds = fixture.phone.sounds.count
            fixture.service[\.removals] = ["m1"]
            try await fixture.visible("m1")
            let body = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content.body
            #expect(body == (maySuppress ? nil : "This message is no longer available."))
            #expect(fixture.phone.sounds.count == sounds && !fixture.service.receipts.contains("recalled m1"))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.onScreen.isEmpty && fixture.service.receipts.contains("recalled m1"))
        }
    }

    @Test(
        "a notice stands, quietly, where its message stood, or with the entitlement nothing does, which is confirmed",
        arguments: [true, false])
    func notice(maySuppress: Bool) async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture, maySuppress: maySuppress)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            let sounds = fixture.phone.sounds.count
            let id = try MessageID("m1")
            let key = CarillonKey(id: id, now: fixture.clock.now, removals: [Removal(id)], isNotice: true)
            let aps: JSONValue = [
                "alert": ["body": "Withdrawn"], "interruption-level": "passive", "content-available": 1,
                "mutable-content": 1,
            ]
            try await fixture.push(["aps": aps, "carillon": key.json], type: .alert, collapseID: "m1")
            let bodies = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).map(\.request.content.body)
            #expect(bodies == (maySuppress ? [] : ["Withdrawn"]))
            #expect(fixture.phone.sounds.count == sounds)
            #expect(fixture.service.receipts.contains("recalled m1") == maySuppress)
        }
    }

    @Test("an expired message is blanked, and the app takes it away")
    func expired() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.visible("m1", until: fixture.clock.now - .seconds(1))
            #expect(fixture.onScreen.isEmpty)
            #expect(fixture.service.receipts.contains("expired m1 blanked"))
        }
    }

    @Test("a resend of a known message comes without banner and sound")
    func resend() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.visible("m1")
            let sounds = fixture.phone.sounds.count
            try await fixture.visible("m1", attempt: 2)
            let content = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first?.request.content
            #expect(content?.interruptionLevel == .passive && content?.sound == nil)
            #expect(fixture.phone.sounds.count == sounds)
            #expect(fixture.service.receipts.filter { $0 == "shown m1" }.count == 1)
        }
    }

    @Test("a service that does not answer keeps nobody from seeing a message for longer than three seconds")
    func slowService() async throws {
        let server = try WebServer(["/v1/receipts": .silent])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(
                fixture, .init(service: fixture.service, slowService: try server.url("/")))
            let key = CarillonKey(id: try MessageID("m1"), now: fixture.clock.now)
            let payload: JSONValue = ["aps": ["alert": "text", "mutable-content": 1], "carillon": key.json]
            let push = IncomingPush(
                topic: AppFixture.bundleID, pushType: .alert, payload: try payload.encoded(), collapseID: "m1",
                apnsID: UUID(), priority: 10)
            let delivery = Task { await fixture.phone.receive(push) }
            for await _ in server.requests { break }
            #expect(fixture.onScreen.isEmpty)
            fixture.clock.advance(by: .seconds(3))
            _ = await delivery.value
            #expect(fixture.onScreen == ["m1"])
            server.hangUp()
        }
    }

    @Test(
        "a service that is busy is asked once more after the time it names, by each phone at another moment",
        arguments: [1, 2])
    func busyService(refusals: Int) async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            fixture.service[\.refusals] = Array(repeating: 503, count: refusals)
            fixture.service[\.retryAfter] = "1"
            let (clock, start) = (fixture.clock, fixture.clock.now)
            let delivery = Task { try await fixture.visible("m1") }
            while clock.nextDeadline.map({ $0 > start + .seconds(2) }) ?? true { await Task.yield() }
            #expect(fixture.service.receipts.isEmpty && fixture.onScreen.isEmpty)
            let again = try #require(clock.nextDeadline)
            #expect(again >= start + .seconds(1))
            clock.advance(to: again)
            _ = try await delivery.value
            #expect(fixture.service.receipts == (refusals == 1 ? ["received m1"] : []) && fixture.onScreen == ["m1"])
        }
    }

    @Test("nobody sees a message later because the service wants to be left alone for longer than three seconds")
    func busierService() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            fixture.service[\.refusals] = [503]
            fixture.service[\.retryAfter] = "3"
            try await fixture.visible("m1")
            #expect(fixture.service.receipts.isEmpty && fixture.onScreen == ["m1"])
        }
    }

    @Test("after a force-quit, removals that the answer to a receipt names are carried out, and confirmed")
    func removesAfterAnswer() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("old")
            fixture.service[\.removals] = ["old"]
            try await fixture.visible("new")
            #expect(fixture.onScreen == ["new"])
            #expect(fixture.service.receipts.contains("recalled old"))
            #expect(fixture.phone.runningState(of: AppFixture.bundleID) == .forceQuit)
        }
    }

    @Test("after a force-quit, removals that did not fit into the push are fetched, also where no receipts are written")
    func fetchesRemovals() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.open()
            fixture.app?.carillon?.writesReceipts = false
            try await fixture.goHome()
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("old")
            fixture.service[\.removals] = ["old"]
            let key = CarillonKey(id: try MessageID("new"), now: fixture.clock.now, needsSync: true)
            try await fixture.push(
                ["aps": ["alert": "text", "mutable-content": 1], "carillon": key.json], type: .alert, collapseID: "new")
            #expect(fixture.onScreen == ["new"] && fixture.service.calls.last == "GET /v1/devices/ID/sync")
        }
    }

    @Test("of what the extension has removed the app hears once, when it runs next", arguments: [false, true])
    func tellsApp(isRunning: Bool) async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            if !isRunning { try await fixture.phone.forceQuit(AppFixture.bundleID) }
            try await fixture.visible("a")
            try await fixture.visible("b")
            fixture.service[\.removals] = ["a"]
            try await fixture.visible("c", removals: ["b"])
            #expect(fixture.onScreen == ["c"])
            try await fixture.open()
            try await fixture.settle()
            let removed = fixture.callbackLog.lines.filter { $0.hasPrefix("removed") }
            #expect(removed.sorted() == ["removed a: recalled", "removed b: recalled"])
        }
    }

    @Test("in an outage an alert does not send receipts again that the alert before could not, until the back-off ends")
    func outage() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            let calls = fixture.service.calls.count
            fixture.service[\.refusals] = Array(repeating: 503, count: 4)
            for number in 1...4 { try await fixture.visible("m\(number)") }
            #expect(fixture.service.calls.count == calls + 1)
            fixture.service[\.refusals] = []
            fixture.clock.advance(by: .seconds(6))
            try await fixture.visible("m5")
            let received = fixture.service.receipts.filter { $0.hasPrefix("received") }
            #expect(received == (1...5).map { "received m\($0)" })
        }
    }

    @Test("without a service of its own the extension leaves its receipts to the app")
    func leavesReceipts() async throws {
        try await AppFixture.run { fixture in
            try await suspended(fixture, sendsReceipts: false)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            #expect(fixture.service.receipts.isEmpty)
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.receipts == ["received m1", "shown m1"])
        }
    }

    @Test("only known kinds of media are attached, and only from https")
    func media() {
        #expect(AttachmentRule.byteLimit(pathExtension: "JPG") == 10 << 20)
        #expect(AttachmentRule.byteLimit(pathExtension: "mp3") == 5 << 20)
        #expect(AttachmentRule.byteLimit(pathExtension: "mp4") == 50 << 20)
        #expect(AttachmentRule.byteLimit(pathExtension: "exe") == nil)
    }
}
