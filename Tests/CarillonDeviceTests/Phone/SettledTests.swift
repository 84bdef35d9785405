import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("At rest") struct SettledTests {
    /// Takes some milliseconds, without waiting for anything.
    private nonisolated static func compute() -> Int {
        var sum = 0
        for number in 0..<2_000_000 { sum = (sum &* 31 &+ number) % 1_000_003 }
        return sum
    }

    @Test("is not before a task of the app that computes on another thread has done what it has begun")
    func computing() async throws {
        try await AppUnderTest.run({ QuietApp() }) { app in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            for round in 1...3 {
                await app.phone.run(in: app.bundleID) {
                    Task.detached {
                        let sum = Self.compute()
                        try? await UNUserNotificationCenter.current().setBadgeCount(sum > 0 ? round : 0)
                    }
                }
                try await app.phone.settled()
                #expect(app.badge == round)
            }
        }
    }

    @Test("is not before the tasks that a task on the main actor begins there have ended")
    func nested() async throws {
        try await AppUnderTest.run({ QuietApp() }) { app in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            await app.phone.run(in: app.bundleID) {
                Task { @MainActor in
                    Task { @MainActor in
                        await Task.yield()
                        Task { @MainActor in try? await UNUserNotificationCenter.current().setBadgeCount(5) }
                    }
                }
            }
            try await app.phone.settled()
            #expect(app.badge == 5)
        }
    }

    @Test("is not before children, actors and yields on other threads are through")
    func hops() async throws {
        try await AppUnderTest.run({ QuietApp() }) { app in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.open()
            await app.phone.run(in: app.bundleID) {
                Task.detached {
                    let sum = await withTaskGroup(of: Int.self) { group in
                        for _ in 0..<4 {
                            group.addTask {
                                for _ in 0..<50 { await Task.yield() }
                                return 2
                            }
                        }
                        return await group.reduce(0, +)
                    }
                    try? await UNUserNotificationCenter.current().setBadgeCount(sum)
                }
            }
            try await app.phone.settled()
            #expect(app.badge == 8)
        }
    }

    @Test("says which app's task it waits for, when one goes on and on")
    func says() async throws {
        try await AppUnderTest.run({ QuietApp() }) { app in
            try await app.open()
            let isOver = Flag()
            await app.phone.run(in: app.bundleID) {
                Task.detached { while !isOver.isSet { await Task.yield() } }
            }
            let error = await #expect(throws: PhoneError.self) {
                try await app.phone.settled(within: .milliseconds(50))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.description.contains("Outstanding: a task of com.example.app.") == true)
            isOver.set()
            try await app.phone.settled()
        }
    }

    @Test("a phone does not wait for the task of another phone's app")
    func others() async throws {
        try await AppUnderTest.run({ QuietApp() }) { one in
            try await AppUnderTest.run({ QuietApp() }) { other in
                try await one.open()
                try await other.open()
                let isOver = Flag()
                await one.phone.run(in: one.bundleID) {
                    Task.detached { while !isOver.isSet { await Task.yield() } }
                }
                try await other.phone.settled(within: .seconds(5))
                isOver.set()
                try await one.phone.settled()
            }
        }
    }

    @Test("the task of an app that has ended is waited for no longer")
    func ended() async throws {
        try await AppUnderTest.run({ QuietApp() }) { app in
            try await app.open()
            let isOver = Flag()
            await app.phone.run(in: app.bundleID) {
                Task.detached { while !isOver.isSet { await Task.yield() } }
            }
            try app.phone.system.terminate(app.bundleID)
            try await app.phone.settled(within: .seconds(5))
            isOver.set()
        }
    }
}

/// Set once, from any thread.
private final class Flag: @unchecked Sendable {
    // `@unchecked`: what changes is behind the lock.
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
}
