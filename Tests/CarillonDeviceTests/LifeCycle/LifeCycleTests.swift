import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// A state in which an app receives a push, with the steps that lead to it.
struct LifeState: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let state: RunningState
    /// The phone's treatment of a silent push for the app.
    let wake: PushTrace.Wake.Kind
    /// Whether a visible push shows a banner of itself, without the app being asked.
    let isShown: Bool
    let enter: @MainActor @Sendable (TestPhone) async throws -> Void

    static let all: [LifeState] = [
        LifeState(testDescription: "in front", state: .foregroundActive, wake: .called, isShown: false) { _ in },
        LifeState(
            testDescription: "in front under a permission sheet", state: .foregroundInactive, wake: .called,
            isShown: false
        ) { test in
            try await test.phone.uninstall(TestPhone.bundleID)
            test.install { AskingApp($0) }
            try await test.phone.openApp(TestPhone.bundleID)
            try await test.phone.until("the sheet is up") { $0.permissionSheet != nil }
            try await test.phone.settled()
        },
        LifeState(
            testDescription: "in front under an incoming call", state: .foregroundInactive, wake: .called,
            isShown: false
        ) { try await $0.phone.screen.interrupt(with: .incomingCall) },
        LifeState(
            testDescription: "in front under the control center", state: .foregroundInactive, wake: .called,
            isShown: false
        ) { try await $0.phone.screen.interrupt(with: .controlCenter) },
        LifeState(testDescription: "just gone to the background", state: .background, wake: .called, isShown: true) {
            await $0.phone.pressHome()
        },
        LifeState(testDescription: "suspended", state: .suspended, wake: .called, isShown: true) {
            try await suspend($0)
        },
        LifeState(
            testDescription: "suspended, on a locked phone", state: .suspended, wake: .called, isShown: false
        ) { test in
            await test.phone.lock()
            test.clock.advance(by: .seconds(60))
            try await test.phone.settled()
        },
        LifeState(
            testDescription: "suspended, with Background App Refresh off", state: .suspended, wake: .notWoken,
            isShown: true
        ) { test in
            try await suspend(test)
            try test.phone.settings.setBackgroundRefresh(false, for: TestPhone.bundleID)
        },
        LifeState(
            testDescription: "suspended, in Low Power Mode", state: .suspended, wake: .held, isShown: true
        ) { test in
            try await suspend(test)
            test.phone.settings.setLowPowerMode(true)
        },
        LifeState(testDescription: "suspended, during a Focus", state: .suspended, wake: .called, isShown: false) {
            try await suspend($0)
            $0.phone.settings.setFocus(true)
        },
        LifeState(testDescription: "ended by the system", state: .notRunning, wake: .launched, isShown: true) {
            try $0.phone.system.terminate(TestPhone.bundleID)
        },
        LifeState(testDescription: "flicked away by the person", state: .forceQuit, wake: .notWoken, isShown: true) {
            try await $0.phone.forceQuit(TestPhone.bundleID)
        },
        LifeState(
            testDescription: "deleted and installed again", state: .notRunning, wake: .launched, isShown: false
        ) { test in
            try await test.phone.uninstall(TestPhone.bundleID)
            test.install { AskingApp($0) }
        },
        LifeState(
            testDescription: "flicked away, then the phone restarted", state: .notRunning, wake: .launched,
            isShown: false
        ) { test in
            try await test.phone.forceQuit(TestPhone.bundleID)
            await test.phone.restart()
        },
    ]

    @MainActor private static func suspend(_ test: TestPhone) async throws {
        await test.phone.pressHome()
        test.clock.advance(by: .seconds(5))
        try await test.phone.settled()
    }
}

@MainActor @Suite("The life of an app") struct LifeCycleTests {
    private let id = TestPhone.bundleID
    private let silent: JSONValue = ["aps": ["content-available": 1]]

    @Test("decides what becomes of a push", arguments: LifeState.all)
    func states(_ life: LifeState) async throws {
        try await TestPhone.run { test in
            try await test.openAllowed { AskingApp($0) { $0.presentation = [] } }
            try await life.enter(test)
            #expect(test.phone.runningState(of: id) == life.state)
            let shown = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(shown.presentation?.banner == life.isShown)
            #expect(try await test.push(silent, type: .background).wake?.kind == life.wake)
        }
    }

    @Test("on a locked phone a push goes to the lock screen, and leaves it for the list when the phone is unlocked")
    func lockScreen() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            await app.phone.lock()
            let shown = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1").presentation
            #expect(shown?.lockScreen == true && shown?.banner == false)
            #expect(app.phone.lockScreenNotifications(of: id).map(\.request.identifier) == ["m1"])
            await app.phone.unlock()
            #expect(app.phone.lockScreenNotifications(of: id).isEmpty && app.shown.count == 1)
        }
    }

    @Test("offline nothing comes; a phone that is off gets nothing either, and keeps its list and badge")
    func offlineAndOff() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello", "badge": 3]], collapseID: "m1")
            await test.phone.goOffline()
            #expect(!link.isConnected && !test.phone.isOnline)
            await test.phone.goOnline()
            #expect(link.isConnected)
            await test.phone.powerOff()
            let lost = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m2")
            #expect(lost.notes == ["dropped: the phone is off"] && !link.isConnected)
            await test.phone.boot()
            #expect(test.shown.map(\.identifier) == ["m1"] && test.phone.badge(of: id) == 3)
        }
    }

    @Test("a restarted phone is locked, and tells an app of its protected files at the first unlock")
    func protectedData() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed { UnlockApp($0) }
            #expect(test.callLog.lines == ["readable: true"])
            await test.phone.restart()
            #expect(test.phone.isLocked && !test.phone.hasBeenUnlocked)
            test.phone.receiveLater(try TestPhone.push(silent, type: .background))
            try await test.phone.until("the app was launched") { _ in test.callLog.lines.count == 2 }
            #expect(test.callLog.lines.last == "readable: false")
            await test.phone.unlock()
            try await test.phone.until("the app was told") { _ in test.callLog.lines.last == "may be read now" }
        }
    }

    @Test("time in the background is asked for and given back; who overruns it is ended, who does not is suspended")
    func backgroundTask() async throws {
        for givesBack in [true, false] {
            try await AppUnderTest.run(asking: { TaskApp($0, givesBack: givesBack) }) { app, callLog in
                try await app.openAndAllow()
                await app.phone.pressHome()
                app.clock.advance(by: .seconds(29))
                await app.phone.mainQueueIsThrough()
                #expect(app.phone.runningState(of: id) == .background)
                await app.phone.run(in: id) {
                    let left = UIApplication.shared.backgroundTimeRemaining
                    callLog.write("left: \(left)")
                }
                try await app.advance(by: .seconds(1))
                #expect(callLog.lines == ["left: 1.0", "expires"])
                #expect(app.phone.runningState(of: id) == (givesBack ? .suspended : .notRunning))
                let why = "the background task “saving” was not ended within 30 s: iOS terminated the app"
                #expect(app.phone.traces.flatMap(\.notes) == (givesBack ? [] : [why]))
            }
        }
    }

    @Test("what runs is told that memory is short, that it is a new day, and which switches were moved")
    func announcements() async throws {
        try await AppUnderTest.run(asking: { HearingApp($0) }) { app, callLog in
            try await app.openAndAllow()
            try await app.phone.system.warnOfMemory(id)
            app.phone.system.announceSignificantTimeChange()
            app.phone.settings.setVoiceOver(true)
            app.phone.settings.setReduceMotion(true)
            try app.phone.settings.setBackgroundRefresh(false, for: id)
            await app.phone.screen.takeScreenshot()
            try await app.phone.settled()
            #expect(
                callLog.lines == [
                    "memory", "memory, in the screen", "time", "VoiceOver: true", "Reduce Motion: true",
                    "refresh: false",
                    "screenshot",
                ])
        }
    }

    /// Leaves the app in the background, where it runs until the background task that is returned ends.
    private func runningOn(_ app: AppUnderTest) async throws -> (UIApplication, UIBackgroundTaskIdentifier) {
        try await app.openAndAllow()
        let running = try await app.phone.value(in: id) {
            (UIApplication.shared, UIApplication.shared.beginBackgroundTask())
        }
        try await app.suspend()
        #expect(app.state == .background)
        return running
    }

    @Test("a force-quit does not wait for an app that is suspended before its turn comes", .timeLimit(.minutes(5)))
    func suspendedBeforeForceQuit() async throws {
        try await AppUnderTest.run(asking: { HearingApp($0) }) { app, callLog in
            let (application, task) = try await runningOn(app)
            let quit = Task.immediate { try await app.phone.forceQuit(id) }
            application.endBackgroundTask(task)
            try await quit.value
            #expect(app.state == .forceQuit)
        }
    }

    @Test(
        "who is suspended before its turn comes is not told that memory is short, and nobody waits for it",
        .timeLimit(.minutes(5)))
    func suspendedBeforeItsTurn() async throws {
        try await AppUnderTest.run(asking: { HearingApp($0) }) { app, callLog in
            let (application, task) = try await runningOn(app)
            let warning = Task.immediate { try await app.phone.system.warnOfMemory(id) }
            let run = Task.immediate { await app.phone.run(in: id) { callLog.write("ran") } }
            // Both stand in line, and no turn has come yet.
            application.endBackgroundTask(task)
            try await warning.value
            #expect(await !run.value)
            #expect(app.state == .suspended && callLog.lines.isEmpty)
        }
    }

    @Test(
        "nobody waits for the expiration handler of a background task that the app ends as its time is up",
        .timeLimit(.minutes(5)), arguments: 0..<12)
    func endedAsItExpires(turns: Int) async throws {
        try await AppUnderTest.run(asking: { HearingApp($0) }) { app, callLog in
            try await app.openAndAllow()
            let (application, task) = try await app.phone.value(in: id) {
                (UIApplication.shared, UIApplication.shared.beginBackgroundTask { callLog.write("expires") })
            }
            try await app.suspend()
            app.clock.advance(by: .seconds(app.phone.rules.backgroundTaskSeconds))
            for _ in 0..<turns { await Task.yield() }
            let hasExpired = !callLog.lines.isEmpty
            application.endBackgroundTask(task)
            try await app.phone.settled()
            // An app whose handler was called has ended the task in time, or is terminated.
            #expect(app.state == .suspended || hasExpired && app.state == .notRunning)
            #expect(callLog.lines == (hasExpired ? ["expires"] : []))
        }
    }

    @Test("willPresent's handler called twice or late, and didReceive's called twice or never, are named")
    func handlers() async throws {
        try await TestPhone.run { test in
            let app = try await openCareless(test)
            let twice = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(
                try test.entry(twice.number).notes.contains {
                    $0.contains("the completion handler of willPresent was called again")
                })
            app.answersPresent = false
            let late = await test.phone.receive(try TestPhone.push(["aps": ["alert": "Hello"]], collapseID: "m2"))
            test.clock.advance(by: .seconds(10))
            try await test.phone.settled()
            app.kept?([.banner])
            try await test.phone.settled()
            #expect(
                try test.entry(late).notes.contains {
                    $0.contains("the completion handler of willPresent was called too late")
                })
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(
                try test.entry(twice.number).notes.contains {
                    $0.contains("the completion handler of didReceive was called again")
                })
            app.answersResponse = false
            await test.phone.pressHome()
            let never = try await test.push(["aps": ["alert": "Hello"]], collapseID: "m3")
            try await test.phone.tap("m3", in: id)
            test.clock.advance(by: .seconds(30))
            try await test.phone.settled()
            #expect(
                try test.entry(never.number).notes.contains {
                    $0.contains("the completion handler of didReceive was not called")
                })
        }
    }

    @Test("a service extension that answers twice is named, and its first answer counts")
    func extensionTwice() async throws {
        try await TestPhone.run { test in
            try await test.extensionApp { _ in TalkativeExtension() }
            let trace = try await test.push(["aps": ["alert": "hello", "mutable-content": 1]])
            #expect(test.shown.map(\.content.body) == ["first"])
            let number = trace.number
            #expect(
                try test.entry(number).notes.contains {
                    $0.contains("the completion handler of the service extension was called again")
                })
        }
    }

    private func openCareless(_ test: TestPhone) async throws -> CarelessApp {
        try await test.openPermitted { _ in CarelessApp() }
        return try #require(test.phone.delegate(of: id) as? CarelessApp)
    }
}

/// Says whether protected files can be read.
private final class UnlockApp: UIResponder, UIApplicationDelegate {
    private let callLog: CallLog

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        callLog.write("readable: \(application.isProtectedDataAvailable)")
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {}

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { callLog.write("may be read now") }
}

/// Asks for more time when it leaves the front.
private final class TaskApp: UIResponder, UIApplicationDelegate {
    private let callLog: CallLog
    private let givesBack: Bool
    private var task = UIBackgroundTaskIdentifier.invalid

    init(_ callLog: CallLog, givesBack: Bool) {
        (self.callLog, self.givesBack) = (callLog, givesBack)
        super.init()
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        task = application.beginBackgroundTask(withName: "saving") { [self] in
            callLog.write("expires")
            if givesBack { application.endBackgroundTask(task) }
        }
    }
}

/// Listens to everything the system says.
private final class HearingApp: UIResponder, UIApplicationDelegate {
    private let callLog: CallLog
    var window: UIWindow?
    private var observers: [any NSObjectProtocol] = []

    private final class Screen: UIViewController {
        var callLog: CallLog?
        override func didReceiveMemoryWarning() { callLog?.write("memory, in the screen") }
    }

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        let screen = Screen()
        screen.callLog = callLog
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = screen
        window?.makeKeyAndVisible()
        hear(UIAccessibility.voiceOverStatusDidChangeNotification) {
            "VoiceOver: \(UIAccessibility.isVoiceOverRunning)"
        }
        hear(UIAccessibility.reduceMotionStatusDidChangeNotification) {
            "Reduce Motion: \(UIAccessibility.isReduceMotionEnabled)"
        }
        hear(UIApplication.backgroundRefreshStatusDidChangeNotification) {
            "refresh: \(application.backgroundRefreshStatus == .available)"
        }
        hear(UIApplication.userDidTakeScreenshotNotification) { "screenshot" }
        return true
    }

    private func hear(_ name: Notification.Name, _ line: @escaping @MainActor () -> String) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: UIApplication.shared, queue: nil) {
                [callLog] _ in
                MainActor.assumeIsolated { callLog.write(line()) }
            })
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { callLog.write("memory") }
    func applicationSignificantTimeChange(_ application: UIApplication) { callLog.write("time") }
}

/// Calls handlers twice, or not at all.
private final class CarelessApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    var answersPresent = true
    var answersResponse = true
    private(set) var kept: ((UNNotificationPresentationOptions) -> Void)?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        kept = completionHandler
        guard answersPresent else { return }
        completionHandler([.banner, .list])
        completionHandler([])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard answersResponse else { return }
        completionHandler()
        completionHandler()
    }
}

/// Has more than one thing to say.
private final class TalkativeExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        for text in ["first", "second"] {
            let content = UNMutableNotificationContent()
            content.body = text
            contentHandler(content)
        }
    }
}
