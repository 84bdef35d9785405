import CarillonCore
import CarillonDevice
import Testing
import UIKit

/// One advance of the clock over several deadlines: the phone comes to rest at each of them.
@MainActor @Suite("A long advance of the clock") struct AdvanceTests {
    private let id = TestPhone.bundleID

    @Test("an app that answers a push after 10 s, by a timer and a task, is in time when a test advances 40 s at once")
    func answersInTime() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) {
                $0.onPush = { _, handler in
                    Timer.scheduledTimer(withTimeInterval: 10, repeats: false) { _ in Task { handler(.newData) } }
                }
            }
        }) { app, _ in
            try await app.suspendAllowed()
            let start = app.clock.now
            let number = try await app.push(["aps": ["content-available": 1]]).number
            try await app.advance(by: .seconds(40))
            #expect(app.state == .suspended)
            let wake = try app.entry(number).wake
            #expect(wake?.answer == .newData && wake?.answeredAt == start + .seconds(10))
        }
    }

    @Test("a reminder of every minute comes ten times in ten minutes, each with the date of its minute")
    func reminders() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            let start = app.clock.now
            await app.phone.run(in: id) {
                let content = UNMutableNotificationContent()
                content.body = "Stretch"
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(
                        identifier: "stretch", content: content,
                        trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)))
            }
            await app.phone.pressHome()
            try await app.advance(by: .seconds(600))
            let comes = app.phone.traces.filter { $0.origin == .local }.map(\.arrivedAt)
            #expect(comes == (1...10).map { start + .seconds(60 * $0) })
            #expect(app.notifications.map(\.date) == [(start + .seconds(600)).date])
        }
    }

    @Test("each link of a chain of timers sets the next one, and no link is lost")
    func chain() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.openAndAllow()
            await app.phone.run(in: id) { Self.link(10, callLog) }
            try await app.advance(by: .seconds(95))
            #expect(callLog.lines.suffix(2) == ["link 8", "link 9"])
        }
    }

    private static func link(_ left: Int, _ callLog: CallLog) {
        guard left > 0 else { return }
        Timer.scheduledTimer(withTimeInterval: 10, repeats: false) { _ in
            MainActor.assumeIsolated {
                callLog.write("link \(11 - left)")
                link(left - 1, callLog)
            }
        }
    }

    @Test("a service on the phone's clock sends at its own times, and the app answers each push before the next comes")
    func serviceOnTheClock() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) {
                $0.onPush = { payload, handler in
                    Timer.scheduledTimer(withTimeInterval: 5, repeats: false) { _ in Task { handler(.noData) } }
                }
            }
        }) { app, _ in
            try await app.suspendAllowed()
            let start = app.clock.now
            let push = try app.incoming(["aps": ["content-available": 1]], type: .background)
            let service = Service(app.clock, app.phone, push)
            service.send(3)
            try await app.advance(by: .seconds(100))
            let sent = app.phone.pushLog
            #expect(sent.map(\.arrivedAt) == [20, 40, 60].map { start + .seconds($0) })
            #expect(sent.compactMap(\.wake?.answeredAt) == [25, 45, 65].map { start + .seconds($0) })
        }
    }

    /// Sends a push every 20 seconds by the phone's clock; each sending plans the next.
    @MainActor private final class Service {
        private let clock: ManualClock
        private let phone: Phone
        private let push: IncomingPush

        init(_ clock: ManualClock, _ phone: Phone, _ push: IncomingPush) {
            self.clock = clock
            self.phone = phone
            self.push = push
        }

        func send(_ count: Int) {
            guard count > 0 else { return }
            _ = clock.schedule(after: .seconds(20)) {
                MainActor.assumeIsolated {
                    self.phone.receiveLater(self.push)
                    self.send(count - 1)
                }
            }
        }
    }

    @Test("what is due again as soon as it is done fails the test, and does not hang it")
    func overdue() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            Self.again(app.clock)
            await #expect(throws: PhoneError.self) { try await app.advance(by: .seconds(1)) }
        }
    }

    /// Plans itself anew for a time that has passed, on a later turn of the main queue.
    private nonisolated static func again(_ clock: ManualClock) {
        _ = clock.schedule(at: clock.now) { DispatchQueue.main.async { again(clock) } }
    }

    @Test("work that an app has begun before the advance belongs to the time before it")
    func startsAtRest() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                Task {
                    await Task.yield()
                    Timer.scheduledTimer(withTimeInterval: 10, repeats: false) { _ in
                        MainActor.assumeIsolated { callLog.write("tick") }
                    }
                }
            }
            try await app.advance(by: .seconds(10))
            #expect(callLog.lines.last == "tick")
        }
    }
}
