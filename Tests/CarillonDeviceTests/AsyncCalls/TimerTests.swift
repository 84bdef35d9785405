import CarillonCore
import Foundation
import Testing
import UIKit

@testable import CarillonDevice

@MainActor @Suite("A timer") struct TimerTests {
    private let id = TestPhone.bundleID

    /// A phone with an app in front that has the timer, and what it writes.
    @MainActor private final class Ticking {
        let test = TestPhone()
        let callLog = CallLog()
        private(set) var timer: Timer?

        var ticks: [String] { callLog.lines }

        func start(_ spelling: TimerSpelling = .scheduled, repeats: Bool) async throws {
            try await test.openPermitted { AskingApp($0) }
            await test.phone.run(in: TestPhone.bundleID) { [callLog] in
                let mine = ObjectIdentifier(UIApplication.shared)
                self.timer = spelling.make(repeats: repeats) {
                    MainActor.assumeIsolated {
                        callLog.write(ObjectIdentifier(UIApplication.shared) == mine ? "tick" : "another phone's")
                    }
                }
            }
        }
    }

    private func open(_ spelling: TimerSpelling = .scheduled, repeats: Bool) async throws -> Ticking {
        let ticking = Ticking()
        try await ticking.start(spelling, repeats: repeats)
        return ticking
    }

    private func advance(_ test: TestPhone, by seconds: Int) async throws {
        test.clock.advance(by: .seconds(seconds))
        try await test.phone.settled()
    }

    @Test(
        "fires by its phone's clock, as its phone, once or again and again, until it is invalidated",
        arguments: TimerSpelling.allCases, [false, true])
    func fires(_ spelling: TimerSpelling, repeats: Bool) async throws {
        let other = try await open(spelling, repeats: repeats)
        let app = try await open(spelling, repeats: repeats)
        try await advance(app.test, by: 9)
        #expect(app.ticks.isEmpty)
        try await advance(app.test, by: 1)
        #expect(app.ticks == ["tick"])
        try await advance(app.test, by: 30)
        #expect(app.ticks == Array(repeating: "tick", count: repeats ? 4 : 1))
        let timer = try #require(app.timer)
        #expect(timer.isValid == repeats)
        timer.invalidate()
        try await advance(app.test, by: 60)
        #expect(app.ticks.count == (repeats ? 4 : 1))
        #expect(other.ticks.isEmpty)
        #expect(other.test.phone.traces.flatMap(\.notes) == [])
        await app.test.finish()
        await other.test.finish()
    }

    @Test("that is fired by hand fires at once; one that fires once is over then")
    func byHand() async throws {
        for repeats in [false, true] {
            let app = try await open(repeats: repeats)
            let timer = try #require(app.timer)
            await app.test.phone.run(in: id) { timer.fire() }
            #expect(app.ticks == ["tick"] && timer.isValid == repeats)
            try await advance(app.test, by: 10)
            #expect(app.ticks.count == (repeats ? 2 : 1))
            await app.test.finish()
        }
    }

    @Test("waits while its app is suspended, and fires once when it is resumed, whatever it has missed")
    func suspended() async throws {
        let app = try await open(repeats: true)
        await app.test.phone.pressHome()
        try await advance(app.test, by: 5)
        #expect(app.test.phone.runningState(of: id) == .suspended)
        try await advance(app.test, by: 50)
        #expect(app.ticks.isEmpty)
        try await app.test.phone.openApp(id)
        try await app.test.phone.settled()
        #expect(app.ticks == ["tick"])
        try await advance(app.test, by: 10)
        #expect(app.ticks == ["tick", "tick"])
        await app.test.finish()
    }

    @Test("ends with its app")
    func ended() async throws {
        let app = try await open(repeats: true)
        try app.test.phone.system.terminate(id)
        // What is left is the phone's own midnight.
        let next = try #require(app.test.clock.nextDeadline)
        #expect(next > app.test.clock.now + .seconds(100))
        try await advance(app.test, by: 100)
        #expect(app.ticks.isEmpty)
        await app.test.finish()
    }

    @Test("whose date the app sets later fires then")
    func postponed() async throws {
        let app = try await open(repeats: false)
        app.timer?.fireDate = Date(timeIntervalSinceNow: 100)
        try await advance(app.test, by: 109)
        #expect(app.ticks.isEmpty)
        try await advance(app.test, by: 1)
        #expect(app.ticks == ["tick"])
        await app.test.finish()
    }

    @Test("of Foundation's own is told in the trace once, with the way that works; the phone's beside it fires")
    func lost() async throws {
        try await TestPhone.run { test in
            try await test.openPermitted { AskingApp($0) }
            for seconds in [3.0, 2.0] {
                await test.phone.run(in: id) { _ = AsyncCallBesideFoundation.lostTimer(after: seconds) }
            }
            await test.phone.run(in: id) { [callLog = test.callLog] in
                _ = AsyncCallBesideFoundation.timer { MainActor.assumeIsolated { callLog.write("tick") } }
            }
            try await advance(test, by: 1)
            #expect(test.callLog.lines.last == "tick")
            let notes = test.phone.traces.flatMap(\.notes).filter { $0.contains("a timer never fires") }
            #expect(notes.count == 1 && notes.first?.contains("remove import Foundation") == true)
        }
    }
}

@Suite("When a timer is due") struct AppTimerTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)
    private let date = Date(timeIntervalSince1970: 5)

    private func timer(_ interval: Double, in seconds: Double) -> AppTimer {
        AppTimer(interval: interval, fireDate: date, seconds: seconds, now: start)
    }

    @Test("once: after as long as its date is ahead, to the millisecond, and at once if that is over")
    func once() {
        for (seconds, due) in [(2.5, 2500), (0.0004, 0), (-3, 0), (.infinity, 10_000_000_000_000)] as [(Double, Int64)]
        {
            var timer = timer(0, in: seconds)
            #expect(timer.due == start + .milliseconds(due))
            #expect(timer.fellDue(fireDate: date, seconds: 0) == .fire(again: nil))
        }
    }

    @Test("again: a whole interval after it was due, though it was added a moment after it was made")
    func again() {
        var timer = timer(2, in: 1.98)
        #expect(timer.due == start + .seconds(2))
        #expect(timer.fellDue(fireDate: date, seconds: -1) == .fire(again: start + .seconds(4)))
        #expect(timer.fellDue(fireDate: date, seconds: -3) == .fire(again: start + .seconds(6)))
        #expect(self.timer(2, in: 0.5).due == start + .milliseconds(500))
    }

    @Test("a date that was changed meanwhile counts from then, once")
    func changed() {
        var timer = timer(2, in: 2)
        let later = Date(timeIntervalSince1970: 9)
        #expect(timer.fellDue(fireDate: later, seconds: 3) == .wait(until: start + .seconds(5)))
        #expect(timer.fellDue(fireDate: later, seconds: 0) == .fire(again: start + .seconds(7)))
    }
}
