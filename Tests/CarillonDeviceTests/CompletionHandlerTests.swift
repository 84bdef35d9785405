import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("The completion handler") struct CompletionHandlerTests {
    private let id = TestPhone.bundleID
    private let silent: JSONValue = ["aps": ["content-available": 1]]

    @Test("called twice: the trace says so, and the first answer counts")
    func twice() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { callLog in
                AskingApp(callLog) {
                    $0.onPush = {
                        $1(.noData)
                        $1(.newData)
                    }
                }
            }
            let entry = try await test.push(silent, type: .background)
            #expect(entry.wake?.answer == .noData && entry.wake?.answerCount == 2)
            #expect(entry.notes.contains { $0.contains("called again") })
        }
    }

    @Test("never called: after 30 s of the phone's clock the app is terminated, and not a moment earlier")
    func never() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { AskingApp($0) { $0.onPush = { _, _ in } } }
            let number = await test.phone.receive(try TestPhone.push(silent, type: .background))
            test.clock.advance(by: .milliseconds(29_999))
            await test.phone.mainQueueIsThrough()
            #expect(test.phone.runningState(of: id) == .background)
            test.clock.advance(by: .milliseconds(1))
            try await test.phone.settled()
            #expect(test.phone.runningState(of: id) == .notRunning)
            #expect(try test.entry(number).notes.contains { $0.contains("iOS terminated the app") })
        }
    }

    @Test("called after the app was terminated for it: the trace calls it late")
    func late() async throws {
        try await TestPhone.run { test in
            let kept = KeptHandler()
            try await test.suspendedAllowed { AskingApp($0) { $0.onPush = { kept.handler = $1 } } }
            let number = await test.phone.receive(try TestPhone.push(silent, type: .background))
            test.clock.advance(by: .seconds(30))
            try await test.phone.settled()
            kept.handler?(.newData)
            try await test.phone.settled()
            let entry = try test.entry(number)
            #expect(entry.wake?.answer == .never)
            #expect(entry.notes.contains { $0.contains("called too late") })
        }
    }

    @Test("a removal right before the handler is not carried out until the app runs again: the race of real apps")
    func removalRace() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { callLog in
                AskingApp(callLog) {
                    $0.onPush = { _, handler in
                        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ["m1"])
                        handler(.newData)
                    }
                }
            }
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await test.push(silent, type: .background)
            #expect(test.shown.map(\.identifier) == ["m1"])
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.shown.isEmpty)
        }
    }

    @Test("a removal that the app sees in the delivered list before it answers has happened")
    func removalBarrier() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { callLog in
                AskingApp(callLog) {
                    $0.onPush = { _, handler in
                        let center = UNUserNotificationCenter.current()
                        center.removeDeliveredNotifications(withIdentifiers: ["m1"])
                        center.getDeliveredNotifications { handler($0.isEmpty ? .newData : .failed) }
                    }
                }
            }
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            let entry = try await test.push(silent, type: .background)
            #expect(entry.wake?.answer == .newData)
            #expect(test.shown.isEmpty)
        }
    }

    @Test("what a suspended app still does waits until it is resumed, and is lost if it never is")
    func suspendedAppIsFrozen() async throws {
        try await TestPhone.run { test in
            let kept = KeptCenter()
            try await test.suspendedAllowed { callLog in
                AskingApp(callLog) { _ in kept.center = UNUserNotificationCenter.current() }
            }
            try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            kept.center?.removeAllDeliveredNotifications()
            try await test.phone.settled()
            #expect(test.shown.count == 1)
            try test.phone.terminateBySystem(id)
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.shown.count == 1)
        }
    }
}

@MainActor final class KeptHandler {
    var handler: (@Sendable (UIBackgroundFetchResult) -> Void)?
}

@MainActor final class KeptCenter {
    var center: UNUserNotificationCenter?
}

extension Phone {
    /// What was on the main queue has run.
    func mainQueueIsThrough() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
