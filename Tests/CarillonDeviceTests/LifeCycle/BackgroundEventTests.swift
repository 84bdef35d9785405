import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Why an app is not called in the background, and how it comes to that.
struct FetchRefusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let why: String
    var modes: Set<AppBundle.BackgroundMode> = [.fetch]
    var asksToFetch = true
    let prepare: @MainActor @Sendable (Phone) async throws -> Void

    static let all: [FetchRefusal] = [
        FetchRefusal(testDescription: "in front", why: "foreground") { _ in },
        FetchRefusal(testDescription: "flicked away", why: "force-quit") {
            try await $0.forceQuit(TestPhone.bundleID)
        },
        FetchRefusal(testDescription: "without the mode", why: "mode fetch", modes: [.remoteNotification]) {
            await $0.pressHome()
        },
        FetchRefusal(testDescription: "that never asked", why: "setMinimum", asksToFetch: false) {
            await $0.pressHome()
        },
        FetchRefusal(testDescription: "with Background App Refresh off", why: "Background App Refresh") {
            await $0.pressHome()
            try $0.settings.setBackgroundRefresh(false, for: TestPhone.bundleID)
        },
        FetchRefusal(testDescription: "on a battery that is almost empty", why: "critically low") {
            await $0.pressHome()
            $0.setBatteryLevel(0.1)
        },
        FetchRefusal(testDescription: "in Low Power Mode", why: "Low Power") {
            await $0.pressHome()
            $0.settings.setLowPowerMode(true)
        },
    ]
}

@MainActor @Suite("Background fetch and background transfers") struct BackgroundEventTests {
    private let id = TestPhone.bundleID

    private func install(
        _ test: TestPhone, modes: Set<AppBundle.BackgroundMode> = [.fetch], asksToFetch: Bool = true,
        _ adjust: @escaping @MainActor @Sendable (WatchfulApp) -> Void = { _ in }
    ) {
        test.install(backgroundModes: modes) { callLog in
            WatchfulApp(callLog) { app in
                let interval = UIApplication.backgroundFetchIntervalMinimum
                app.onLaunch = { if asksToFetch { $0.setMinimumBackgroundFetchInterval(interval) } }
                adjust(app)
            }
        }
    }

    private func suspend(_ test: TestPhone) async throws {
        try await test.phone.openApp(id)
        await test.phone.pressHome()
        test.clock.advance(by: .seconds(5))
        try await test.phone.settled()
    }

    private func fetch(_ test: TestPhone) async throws -> PushTrace {
        let number = try await test.phone.system.performBackgroundFetch(of: id)
        try await test.phone.settled()
        return try test.entry(number)
    }

    @Test("a fetch wakes a suspended app, and launches one that is not running, which then sleeps again")
    func fetches() async throws {
        try await TestPhone.run { test in
            install(test)
            try await suspend(test)
            let woken = try await fetch(test)
            #expect(woken.origin == .event && woken.event == "background fetch")
            #expect(woken.wake?.kind == .called && woken.wake?.answer == .newData && woken.isFinished)
            #expect(test.phone.runningState(of: id) == .suspended)
            try test.phone.system.terminate(id)
            let launched = try await fetch(test)
            #expect(launched.wake?.kind == .launched && launched.wake?.answerCount == 1)
            #expect(test.callLog.lines.suffix(2) == ["launched", "fetches"])
            #expect(test.phone.pushLog.isEmpty)
        }
    }

    @Test("the app is suspended the instant its handler is called")
    func suspendedAtOnce() async throws {
        try await TestPhone.run { test in
            let states = States()
            install(test) { [phone = test.phone] in
                $0.onFetch = { handler in
                    states.seen.append(phone.runningState(of: TestPhone.bundleID))
                    handler(.newData)
                    states.seen.append(phone.runningState(of: TestPhone.bundleID))
                }
            }
            try await suspend(test)
            _ = try await fetch(test)
            #expect(states.seen == [.background, .suspended])
        }
    }

    @Test("a fetch does not reach an app", arguments: FetchRefusal.all)
    func refused(_ refusal: FetchRefusal) async throws {
        try await TestPhone.run { test in
            install(test, modes: refusal.modes, asksToFetch: refusal.asksToFetch)
            try await test.phone.openApp(id)
            try await refusal.prepare(test.phone)
            let trace = try await fetch(test)
            #expect(trace.wake?.kind == .notWoken && trace.wake?.why.contains(refusal.why) == true)
            #expect(trace.isFinished && !test.callLog.contains("fetches"))
        }
    }

    @Test("an app that asks for never again is called no more, and one without the method is said to have none")
    func never() async throws {
        try await TestPhone.run { test in
            install(test)
            try await suspend(test)
            await test.phone.openAndRun(id) {
                UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalNever)
            }
            await test.phone.pressHome()
            #expect(try await fetch(test).wake?.kind == .notWoken)
            test.install("app.other", backgroundModes: [.fetch]) { _ in TacitApp() }
            try await test.phone.openApp("app.other")
            await test.phone.pressHome()
            let number = try await test.phone.system.performBackgroundFetch(of: "app.other")
            try await test.phone.settled()
            #expect(try test.entry(number).wake?.answer == .notImplemented)
        }
    }

    @Test("16: who does not answer a fetch within 30 seconds is terminated, who answers twice or late is named")
    func fetchHandler() async throws {
        try await TestPhone.run { test in
            let kept = KeptHandler()
            install(test) { $0.onFetch = { kept.handler = $0 } }
            try await suspend(test)
            let number = try await test.phone.system.performBackgroundFetch(of: id)
            test.clock.advance(by: .milliseconds(29_999))
            await test.phone.mainQueueIsThrough()
            #expect(test.phone.runningState(of: id) == .background)
            test.clock.advance(by: .milliseconds(1))
            try await test.phone.settled()
            #expect(test.phone.runningState(of: id) == .notRunning)
            kept.handler?(.newData)
            try await test.phone.settled()
            let trace = try test.entry(number)
            #expect(trace.wake?.answer == .never)
            #expect(
                trace.notes == [
                    "the completion handler of performFetch was not called within 30 s",
                    "iOS terminated the app for it",
                    "the completion handler of performFetch was called too late: its time was over",
                ])
        }
        try await TestPhone.run { test in
            install(test) {
                $0.onFetch = {
                    $0(.noData)
                    $0(.newData)
                }
            }
            try await suspend(test)
            let trace = try await fetch(test)
            #expect(trace.wake?.answer == .noData && trace.wake?.answerCount == 2)
            #expect(trace.notes.first?.contains("called again (2 times)") == true)
        }
    }

    @Test("transfers that are over wake and launch an app without any mode; its handler is watched like the others")
    func transfers() async throws {
        try await TestPhone.run { test in
            let kept = KeptTransferHandler()
            install(test, modes: []) { $0.onTransfers = { kept.handler = $0 } }
            try await suspend(test)
            let number = try await test.phone.system.finishBackgroundTransfers(ofSession: "photos", in: id)
            #expect(test.phone.runningState(of: id) == .background)
            kept.handler?()
            kept.handler?()
            try await test.phone.settled()
            #expect(test.phone.runningState(of: id) == .suspended)
            let trace = try test.entry(number)
            #expect(trace.wake?.answer == .handled && trace.wake?.kind == .called)
            #expect(trace.notes.first?.contains("completion handler of handleEventsForBackgroundURLSession") == true)
            try test.phone.system.terminate(id)
            try await test.phone.system.finishBackgroundTransfers(ofSession: "photos", in: id)
            #expect(test.callLog.lines.suffix(2) == ["launched", "transfers of photos"])
            test.clock.advance(by: .seconds(30))
            try await test.phone.settled()
            #expect(test.phone.runningState(of: id) == .notRunning)
        }
    }

    @Test("15: transfers do not wake an app that was flicked away; one that runs hears of them by its session")
    func transfersRefused() async throws {
        try await TestPhone.run { test in
            install(test)
            try await test.phone.openApp(id)
            let running = try await test.phone.system.finishBackgroundTransfers(ofSession: "photos", in: id)
            #expect(try test.entry(running).wake?.why.contains("session's delegate") == true)
            try await test.phone.forceQuit(id)
            let forceQuit = try await test.phone.system.finishBackgroundTransfers(ofSession: "photos", in: id)
            #expect(try test.entry(forceQuit).wake?.why.contains("force-quit") == true)
            #expect(!test.callLog.contains("transfers of photos"))
        }
    }
}

/// Implements nothing but launching.
private final class TacitApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.setMinimumBackgroundFetchInterval(3600)
        return true
    }
}

@MainActor private final class States {
    var seen: [RunningState] = []
}

@MainActor private final class KeptTransferHandler {
    var handler: (@Sendable () -> Void)?
}

extension Phone {
    /// Opens the app and runs code as it.
    func openAndRun(_ bundleID: String, _ body: @escaping @MainActor () -> Void) async {
        try? await openApp(bundleID)
        await run(in: bundleID, body)
    }
}
