import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Protected files") struct ProtectedDataTests {
    private let id = TestPhone.bundleID
    private let silent: JSONValue = ["aps": ["content-available": 1]]

    private func open(_ test: TestPhone) async throws {
        test.install { WatchfulApp($0) }
        try await test.phone.openApp(id)
    }

    @Test("38: a locked phone keeps them open for 10 seconds; the app hears when it is locked and when it is unlocked")
    func tenSeconds() async throws {
        try await TestPhone.run { test in
            try await open(test)
            await test.phone.lock()
            try await test.phone.settled()
            #expect(test.callLog.lines.suffix(3) == ["resigns", "background", "files close, readable: true"])
            test.clock.advance(by: .milliseconds(9999))
            await test.phone.mainQueueIsThrough()
            #expect(test.phone.isProtectedDataAvailable)
            test.clock.advance(by: .milliseconds(1))
            await test.phone.mainQueueIsThrough()
            #expect(!test.phone.isProtectedDataAvailable)
            // It has been suspended meanwhile, so it hears of it when it runs again.
            #expect(test.phone.runningState(of: id) == .suspended)
            await test.phone.unlock()
            try await test.phone.settled()
            #expect(test.callLog.lines.suffix(3) == ["files open, readable: true", "foreground", "active"])
        }
    }

    @Test("38: a push that comes to a locked phone finds them closed, and the trace of a fetch says so")
    func wokenWhileLocked() async throws {
        try await TestPhone.run { test in
            test.install(backgroundModes: [.remoteNotification, .fetch]) {
                WatchfulApp($0) { $0.onLaunch = { $0.setMinimumBackgroundFetchInterval(0) } }
            }
            await test.phone.lock()
            test.clock.advance(by: .seconds(10))
            let why = "the phone is locked: protected files cannot be read"
            #expect(try await test.push(silent, type: .background).notes == [why])
            #expect(test.callLog.lines == ["launched", "push, readable: false"])
            let number = try await test.phone.system.performBackgroundFetch(of: id)
            try await test.phone.settled()
            #expect(try test.entry(number).notes == [why])
            await test.phone.unlock()
            try await test.phone.settled()
            #expect(test.callLog.lines.last == "fetches")
            try await test.push(silent, type: .background)
            #expect(test.callLog.lines.suffix(2) == ["files open, readable: true", "push, readable: true"])
        }
    }

    @Test("an app that sleeps through it is told nothing")
    func sleptThrough() async throws {
        try await TestPhone.run { test in
            try await open(test)
            await test.phone.pressHome()
            test.clock.advance(by: .seconds(5))
            try await test.phone.settled()
            await test.phone.lock()
            test.clock.advance(by: .seconds(60))
            await test.phone.unlock()
            try await test.phone.openApp(id)
            #expect(!test.callLog.lines.contains { $0.contains("files") })
        }
    }

    @Test("unlocked again within the 10 seconds they were never closed, and the next 10 seconds are whole")
    func unlockedSoon() async throws {
        try await TestPhone.run { test in
            try await open(test)
            await test.phone.lock()
            test.clock.advance(by: .seconds(4))
            await test.phone.unlock()
            #expect(test.callLog.lines.suffix(3) == ["files open, readable: true", "foreground", "active"])
            await test.phone.lock()
            test.clock.advance(by: .seconds(9))
            await test.phone.mainQueueIsThrough()
            #expect(test.phone.isProtectedDataAvailable)
            test.clock.advance(by: .seconds(1))
            await test.phone.mainQueueIsThrough()
            #expect(!test.phone.isProtectedDataAvailable)
        }
    }

    @Test("without a passcode they are never closed, not even between a restart and the first unlock")
    func noPasscode() async throws {
        try await TestPhone.run { test in
            try test.phone.settings.setPasscode(false)
            try await open(test)
            await test.phone.lock()
            test.clock.advance(by: .seconds(60))
            await test.phone.mainQueueIsThrough()
            #expect(test.phone.isProtectedDataAvailable)
            await test.phone.restart()
            #expect(test.phone.isProtectedDataAvailable && !test.phone.hasBeenUnlocked)
            #expect(throws: PhoneError.self) { try test.phone.settings.setPasscode(true) }
            await test.phone.unlock()
            #expect(!test.callLog.lines.contains { $0.contains("files") })
        }
    }

    @Test("the wait of 10 seconds is a switch")
    func anotherDelay() async throws {
        var rules = PhoneRules()
        rules.protectedDataSeconds = 60
        try await TestPhone.run(rules: rules) { test in
            await test.phone.lock()
            test.clock.advance(by: .seconds(59))
            await test.phone.mainQueueIsThrough()
            #expect(test.phone.isProtectedDataAvailable)
            test.clock.advance(by: .seconds(1))
            await test.phone.mainQueueIsThrough()
            #expect(!test.phone.isProtectedDataAvailable)
        }
    }
}
