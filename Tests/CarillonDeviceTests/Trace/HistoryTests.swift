import CarillonCore
import CarillonDevice
import Testing
import UIKit

@MainActor @Suite("The history of a phone") struct HistoryTests {
    @Test("is one order, in which a cause comes before what it leads to")
    func order() async throws {
        let events = try await RandomRun.play(7)
        #expect(events.map(\.number) == Array(1...events.count))
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.at <= $1.at })
        #expect(events.allSatisfy { event in event.cause.map { $0 < event.number } ?? true })
    }

    @Test("leads from a notification back to the silent push by whose handler it was added")
    func causes() async throws {
        let bundle = AppBundle(bundleID: "com.example.busy", name: "Busy", makeDelegate: { BusyApp() })
        try await AppUnderTest.run(bundle) { app in
            try await app.openAndAllow()
            try await app.suspend()
            try await app.push(["aps": ["content-available": 1], "number": 9])
            try await app.advance(by: .seconds(4))
            let shown = try #require(
                app.phone.history.last { $0.kind == .change(.list(bundleID: app.bundleID)) })
            let kinds = app.phone.causes(of: shown.number).map(\.kind)
            #expect(
                kinds == [
                    .change(.list(bundleID: app.bundleID)), .timer, .request("add", bundleID: app.bundleID),
                    .call("didReceiveRemoteNotification", bundleID: app.bundleID), .push(1),
                ])
        }
    }

    @Test("a task of the app takes the cause along, also to another thread")
    func task() async throws {
        try await AppUnderTest.run({ BusyApp() }) { app in
            try await app.openAndAllow()
            app.phone.settings.setFocus(true)
            await app.phone.run(in: app.bundleID) {
                Task { @MainActor in try? await UNUserNotificationCenter.current().setBadgeCount(3) }
            }
            try await app.phone.settled()
            let asked = try #require(
                app.phone.history.last { $0.kind == .request("setBadgeCount", bundleID: app.bundleID) })
            let kinds = app.phone.causes(of: asked.number).map(\.kind)
            #expect(kinds.dropFirst() == [.call("block", bundleID: app.bundleID), .action(.run(app.bundleID))])
        }
    }

    @Test("keeps the newest 4096 events, with the causes among them")
    func bounded() async throws {
        try await AppUnderTest.run({ BusyApp() }) { app in
            for _ in 0..<9000 { app.phone.settings.setMuted(true) }
            let events = app.phone.history
            #expect(events.count == 4096)
            let last = try #require(events.last)
            #expect(app.phone.causes(of: last.number).map(\.kind) == [.change(.screen), .action(.setMuted(true))])
            #expect(app.phone.causes(of: 1).isEmpty && app.phone.causes(of: last.number + 1).isEmpty)
            #expect(app.phone.causes(of: events[0].number).count == 1)
        }
    }

    @Test("an event reads as one line")
    func text() async throws {
        try await AppUnderTest.run({ BusyApp() }) { app in
            app.phone.settings.setFocus(true)
            let lines = app.phone.history.suffix(2).map(\.description)
            #expect(lines.first?.hasSuffix("the person: setFocus(true)") == true)
            #expect(lines.last?.contains("changed: screen ← ") == true)
        }
    }
}
