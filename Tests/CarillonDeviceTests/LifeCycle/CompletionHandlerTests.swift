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
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) {
                $0.onPush = {
                    $1(.noData)
                    $1(.newData)
                }
            }
        }) { app, callLog in
            try await app.suspendAllowed()
            let entry = try await app.push(silent, type: .background)
            #expect(entry.wake?.answer == .noData && entry.wake?.answerCount == 2)
            #expect(entry.notes.contains { $0.contains("called again") })
        }
    }

    @Test("never called: after 30 s of the phone's clock the app is terminated, and not a moment earlier")
    func never() async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.onPush = { _, _ in } } }) { app, callLog in
            try await app.suspendAllowed()
            let number = await app.phone.receive(try app.incoming(silent, type: .background))
            app.clock.advance(by: .milliseconds(29_999))
            await app.phone.mainQueueIsThrough()
            #expect(app.phone.runningState(of: id) == .background)
            try await app.advance(by: .milliseconds(1))
            #expect(app.phone.runningState(of: id) == .notRunning)
            #expect(try app.entry(number).notes.contains { $0.contains("iOS terminated the app") })
        }
    }

    @Test("called after the app was terminated for it: the trace calls it late")
    func late() async throws {
        let kept = KeptHandler()
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.onPush = { kept.handler = $1 } } }) { app, callLog in
            try await app.suspendAllowed()
            let number = await app.phone.receive(try app.incoming(silent, type: .background))
            try await app.advance(by: .seconds(30))
            kept.handler?(.newData)
            try await app.phone.settled()
            let entry = try app.entry(number)
            #expect(entry.wake?.answer == .never)
            #expect(entry.notes.contains { $0.contains("called too late") })
        }
    }

    @Test("a removal right before the handler is not carried out until the app runs again: the race of real apps")
    func removalRace() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) {
                $0.onPush = { _, handler in
                    UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ["m1"])
                    handler(.newData)
                }
            }
        }) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.push(silent, type: .background)
            #expect(app.shown.map(\.identifier) == ["m1"])
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(app.shown.isEmpty)
        }
    }

    @Test("a removal that the app sees in the delivered list before it answers has happened")
    func removalBarrier() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) {
                $0.onPush = { _, handler in
                    let center = UNUserNotificationCenter.current()
                    center.removeDeliveredNotifications(withIdentifiers: ["m1"])
                    center.getDeliveredNotifications { handler($0.isEmpty ? .newData : .failed) }
                }
            }
        }) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            let entry = try await app.push(silent, type: .background)
            #expect(entry.wake?.answer == .newData)
            #expect(app.shown.isEmpty)
        }
    }

    @Test("what a suspended app still does waits until it is resumed, and is lost if it never is")
    func suspendedAppIsFrozen() async throws {
        let kept = KeptCenter()
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { _ in kept.center = UNUserNotificationCenter.current() }
        }) { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            kept.center?.removeAllDeliveredNotifications()
            try await app.phone.settled()
            #expect(app.shown.count == 1)
            try app.phone.system.terminate(id)
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(app.shown.count == 1)
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
    /// Waits until the main queue has run the work that is on it.
    func mainQueueIsThrough() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
