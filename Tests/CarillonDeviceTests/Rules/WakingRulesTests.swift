import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Rules: waking the app") struct WakingRulesTests {
    private let id = TestPhone.bundleID
    private let silent: JSONValue = ["aps": ["content-available": 1]]

    @Test("14: a silent push reaches the fetch handler in front, in the background, and by launching the app")
    func wakes() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.openAndAllow()
            try await app.push(silent, type: .background)
            await app.phone.pressHome()
            try await app.push(silent, type: .background)
            try app.phone.system.terminate(id)
            let entry = try await app.push(silent, type: .background)
            #expect(entry.wake?.kind == .launched)
            #expect(
                callLog.lines.filter { $0.hasPrefix("push while") } == [
                    "push while active", "push while background", "push while background",
                ])
        }
    }

    @Test("the reason after a force-quit speaks of the time of the push, so that it stays true once the app is opened")
    func forceQuitReason() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.phone.forceQuit(id)
            let entry = try await app.push(silent, type: .background)
            try await app.phone.openApp(id)
            #expect(entry.wake?.why == "not woken: the app had been force-quit when the push came")
        }
    }

    @Test("15: after a force-quit nothing launches the app until it is opened, or the phone restarts")
    func forceQuit() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.phone.forceQuit(id)
            #expect(try await app.push(silent, type: .background).wake?.kind == .notWoken)
            await app.phone.restart()
            #expect(app.phone.isLocked)
            #expect(try await app.push(silent, type: .background).wake?.kind == .launched)
        }
    }

    @Test("16: a wake lasts 30 s; the app sees how much is left")
    func budget() async throws {
        let kept = KeptHandler()
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.onPush = { kept.handler = $1 } } }) { app, _ in
            try await app.suspendAllowed()
            _ = await app.phone.receive(try app.incoming(silent, type: .background))
            #expect(app.phone.runningState(of: id) == .background)
            kept.handler?(.newData)
            #expect(app.phone.runningState(of: id) == .suspended)
            try await app.phone.settled()
        }
    }

    @Test("16: what the answer failed costs is a knob")
    func costOfFailure() async throws {
        var rules = PhoneRules()
        rules.silentWakesPerHour = 3
        rules.costOfFailedWake = 3
        try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) { $0.onPush = { $1(.failed) } } }) { app, _ in
            try await app.suspendAllowed()
            #expect(try await app.push(silent, type: .background).wake?.kind == .called)
            #expect(try await app.push(silent, type: .background).wake?.kind == .held)
        }
    }

    @Test("17: beyond the hour's budget a silent push is held, only the newest, and released when the hour is over")
    func throttled() async throws {
        var rules = PhoneRules()
        rules.silentWakesPerHour = 2
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            for _ in 0..<2 { #expect(try await app.push(silent, type: .background).wake?.kind == .called) }
            let lost = try await app.push(silent, type: .background)
            let held = try await app.push(silent, type: .background)
            #expect(lost.wake?.kind == .held && held.wake?.kind == .held)
            try await app.advance(by: .seconds(3600))
            #expect(try app.entry(held.number).wake?.answer == .newData)
            #expect(try app.entry(lost.number).wake?.answer == nil)
        }
    }

    @Test("17: opening the app releases the held push, force-quitting it discards it")
    func heldPush() async throws {
        var rules = PhoneRules()
        rules.silentWakesPerHour = 0
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            let first = try await app.push(silent, type: .background)
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(try app.entry(first.number).wake?.answer == .newData)
            await app.phone.pressHome()
            let second = try await app.push(silent, type: .background)
            try await app.phone.forceQuit(id)
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(try app.entry(second.number).wake?.answer == nil)
            #expect(try app.entry(second.number).notes.contains { $0.contains("force-quit") })
        }
    }

    @Test("18: content-available beside text both shows and wakes; text in a background push is not shown")
    func mixed() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            let both = try await app.push(["aps": ["alert": "Hello", "content-available": 1]])
            #expect(both.presentation?.banner == true && both.wake?.answer == .newData)
            let wrong = try await app.push(["aps": ["alert": "Hello", "content-available": 1]], type: .background)
            #expect(wrong.presentation == nil && wrong.wake?.answer == .newData)
            #expect(wrong.notes.contains { $0.contains("background push") })
        }
    }

    @Test("19: the older method is called in the foreground only, and only if the newer one is missing")
    func olderMethod() async throws {
        try await AppUnderTest.run(asking: { OldApp($0) }) { app, callLog in
            try await app.phone.openApp(id)
            try await app.push(silent, type: .background)
            #expect(callLog.lines == ["older"])
            await app.phone.pressHome()
            try await app.push(silent, type: .background)
            #expect(callLog.lines == ["older"])
        }
    }

    @Test(
        "20: opening from the alert calls the fetch handler again where the switch says so", arguments: [true, false])
    func openingCallsAgain(_ again: Bool) async throws {
        var rules = PhoneRules()
        rules.openingCallsFetchHandlerAgain = again
        try await TestPhone.run(rules: rules) { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello", "content-available": 1]], collapseID: "m1")
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(test.callLog.lines.filter { $0.hasPrefix("push while") }.count == (again ? 2 : 1))
        }
    }

    @Test("21: with a center delegate a plain alert bypasses the app delegate; the order of the two is a switch")
    func bypass() async throws {
        for wakesFirst in [false, true] {
            var rules = PhoneRules()
            rules.wakesBeforePresenting = wakesFirst
            try await TestPhone.run(rules: rules) { test in
                try await test.openAllowed()
                try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
                #expect(!test.callLog.lines.contains { $0.hasPrefix("push while") })
                try await test.push(["aps": ["alert": "Hello", "content-available": 1]], collapseID: "m2")
                let order = ["willPresent m2", "push while active"]
                #expect(test.callLog.lines.suffix(2) == (wakesFirst ? order.reversed() : order)[...])
            }
        }
    }

    @Test(
        "22: a silent launch carries the payload in its launch options, unless switched off", arguments: [true, false])
    func launchOptions(_ has: Bool) async throws {
        var rules = PhoneRules()
        rules.silentLaunchHasOptions = has
        try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) }) { app, callLog in
            try await app.push(silent, type: .background)
            #expect(callLog.lines.first == (has ? "launched by a push" : "launched"))
        }
    }

    @Test("35: a battery below 20 percent holds silent pushes until it is charged, and no other push")
    func battery() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            app.phone.setBatteryLevel(0.19)
            #expect(try await app.push(silent, type: .background).wake?.kind == .held)
            let visible = try await app.push(["aps": ["alert": "Hi", "content-available": 1]])
            #expect(visible.wake?.kind == .called && visible.presentation?.isShown == true)
            app.phone.setBatteryLevel(0.2)
            try await app.phone.settled()
            #expect(app.phone.traces.filter { $0.wake?.answer == .newData }.count == 2)
        }
        var rules = PhoneRules()
        rules.criticalBatteryLevel = 0
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            app.phone.setBatteryLevel(0)
            #expect(try await app.push(silent, type: .background).wake?.kind == .called)
        }
    }

    @Test("35: what a full budget holds comes an hour later, whether or not Low Power Mode was on meanwhile")
    func budgetAfterPowerSaving() async throws {
        var rules = PhoneRules()
        rules.silentWakesPerHour = 1
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            #expect(try await app.push(silent, type: .background).wake?.kind == .called)
            app.phone.setBatteryLevel(0.1)
            let held = try await app.push(silent, type: .background)
            #expect(try app.entry(held.number).wake?.why == "held: the battery is critically low")
            app.phone.setBatteryLevel(1)
            try await app.phone.settled()
            #expect(try app.entry(held.number).wake?.why.contains("in an hour") == true)
            try await app.advance(by: .seconds(3600))
            #expect(try app.entry(held.number).wake?.kind == .called)
        }
    }

    @Test("35: Low Power Mode holds silent pushes, and Background App Refresh switched off stops them")
    func power() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            app.phone.settings.setLowPowerMode(true)
            let held = try await app.push(silent, type: .background)
            #expect(held.wake?.kind == .held)
            app.phone.settings.setLowPowerMode(false)
            try await app.phone.settled()
            #expect(try app.entry(held.number).wake?.answer == .newData)
            try app.phone.settings.setBackgroundRefresh(false, for: id)
            #expect(try await app.push(silent, type: .background).wake?.kind == .notWoken)
        }
        var rules = PhoneRules()
        rules.lowPowerModeHoldsSilentPushes = false
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            app.phone.settings.setLowPowerMode(true)
            #expect(try await app.push(silent, type: .background).wake?.kind == .called)
        }
    }
}

/// Has only the method of iOS 3.
final class OldApp: UIResponder, UIApplicationDelegate {
    private let callLog: CallLog

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    override init() {
        callLog = CallLog()
        super.init()
    }

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        callLog.write("older")
    }
}
