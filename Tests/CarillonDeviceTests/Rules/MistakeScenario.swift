import BackgroundTasks
import CarillonCore
import CarillonDevice
import Foundation
import SafariServices
import Swift4App
import UIKit

/// For each mistake of an app, the shortest way to make it.
@MainActor struct MistakeScenario {
    let mistake: AppMistake
    let make: @MainActor @Sendable (CallLog) -> any UIApplicationDelegate
    let play: @MainActor (AppUnderTest) async throws -> Void

    init(
        _ mistake: AppMistake,
        _ make: @escaping @MainActor @Sendable (CallLog) -> any UIApplicationDelegate = { AskingApp($0) },
        play: @escaping @MainActor (AppUnderTest) async throws -> Void
    ) {
        self.mistake = mistake
        self.make = make
        self.play = play
    }

    /// Runs the app's code in the foreground.
    private static func code(_ mistake: AppMistake, _ body: @escaping @MainActor () -> Void) -> MistakeScenario {
        MistakeScenario(mistake) { app in
            await app.phone.run(in: app.bundleID, body)
            try await app.phone.settled()
        }
    }

    /// Adds a request for a local notification.
    private static func add(_ identifier: String, userInfo: [AnyHashable: Any]) {
        let content = UNMutableNotificationContent()
        content.body = "Hello"
        content.userInfo = userInfo
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
    }

    private static let task = "com.example.task.refresh"

    static let all: [MistakeScenario] =
        local + handlers + screens + [
            MistakeScenario(.uiOffMain) { app in
                let elsewhere = DispatchQueue(label: "elsewhere")
                await app.phone.run(in: app.bundleID) { register(UIApplication.shared, on: elsewhere) }
                await withCheckedContinuation { continuation in elsewhere.async { continuation.resume() } }
                try await app.phone.settled()
            },
            MistakeScenario(.scenesMissing) { app in
                var bundle = AppBundle(bundleID: app.bundleID, name: "App", makeDelegate: { AskingApp(CallLog()) })
                bundle.sdkVersion = 27
                app.phone.install(bundle)
                try await app.open()
            },
            code(.settingNoPropertyList) { UserDefaults.standard.set(["photo": NSNull()], forKey: "newest") },
            code(.taskRegisteredLate) {
                BGTaskScheduler.shared.register(forTaskWithIdentifier: task, using: nil) { _ in }
            },
            MistakeScenario(
                .taskRegisteredTwice,
                { callLog in
                    WatchfulApp(callLog) {
                        $0.onLaunch = { _ in
                            for _ in 1...2 {
                                BGTaskScheduler.shared.register(forTaskWithIdentifier: task, using: nil) { _ in }
                            }
                        }
                    }
                }, play: { _ in }),
            MistakeScenario(.taskWithoutHandler) { app in
                await app.phone.run(in: app.bundleID) {
                    try? BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: task))
                }
                try await app.suspend()
                try await app.phone.system.runBackgroundTask(task, in: app.bundleID)
                try await app.phone.settled()
            },
        ]

    private static let local: [MistakeScenario] = [
        code(.userInfoNotArchivable) { add("m1", userInfo: ["article": Article(number: 7)]) },
        code(.emptyIdentifier) { add("", userInfo: [:]) },
        code(.intervalNotPositive) { _ = UNTimeIntervalNotificationTrigger(timeInterval: 0, repeats: false) },
        code(.repeatsTooOften) { _ = UNTimeIntervalNotificationTrigger(timeInterval: 59, repeats: true) },
        MistakeScenario(.oldUserInfoNoPropertyList) { app in
            await app.phone.run(in: app.bundleID) { (OldScheduler() as any Scheduling).scheduleNull() }
            try await app.phone.settled()
        },
    ]

    private static let screens: [MistakeScenario] = [
        code(.safariScheme) { URL(string: "raywenderlich.com").map { _ = SFSafariViewController(url: $0) } },
        code(.safariScheme) { URL(string: "ftp://a.b/").map { _ = SFSafariViewController(url: $0) } },
        code(.secondCancelAction) {
            let alert = UIAlertController(title: "Delete?", message: nil, preferredStyle: .alert)
            for title in ["Cancel", "Never"] { alert.addAction(UIAlertAction(title: title, style: .cancel)) }
        },
        code(.cellNotRegistered) {
            let table = UITableView(frame: .zero)
            _ = table.dequeueReusableCell(withIdentifier: "news", for: IndexPath(row: 0, section: 0))
        },
        code(.storyboardWithoutController) {
            _ = UIStoryboard(name: "Main", bundle: nil).instantiateViewController(withIdentifier: "news")
        },
        code(.storyboardWithoutController) {
            let made: UITabBarController = UIStoryboard(name: "Main", bundle: nil)
                .instantiateViewController(identifier: "news")
            made.selectedIndex = 0
        },
        code(.nibMissing) { _ = UIViewController(nibName: "News", bundle: nil) },
        code(.viewInItself) {
            let (outer, inner) = (UIView(frame: .zero), UIView(frame: .zero))
            outer.addSubview(inner)
            inner.addSubview(outer)
        },
        code(.frameNotANumber) { UIView(frame: .zero).frame = CGRect(x: 0, y: CGFloat.nan, width: 1, height: 1) },
        code(.controllerInItself) {
            let stack = UINavigationController(rootViewController: UIViewController())
            stack.pushViewController(stack, animated: true)
        },
        code(.presentedOnItself) {
            let controller = UIViewController()
            controller.present(controller, animated: true)
        },
        code(.splitViewWithoutColumns) {
            UISplitViewController().setViewController(UIViewController(), for: .primary)
        },
        code(.activityWithoutType) { _ = NSUserActivity(activityType: "") },
        code(.webpageScheme) { NSUserActivity(activityType: "news").webpageURL = URL(string: "chime://news") },
        code(.entryPointWithoutDelegate) { UIApplicationMain(0, nil, nil, "Nobody") },
        code(.uncaughtException) {
            NSException(name: .rangeException, reason: "index 3 beyond bounds [0 .. 2]", userInfo: nil).raise()
        },
    ]

    private static let handlers: [MistakeScenario] = [
        MistakeScenario(
            .fetchHandlerTwice,
            { callLog in
                AskingApp(callLog) {
                    $0.onPush = { _, handler in
                        handler(.newData)
                        handler(.newData)
                    }
                }
            },
            play: { app in
                try await app.suspend()
                try await app.push(["aps": ["content-available": 1]])
            }),
        MistakeScenario(
            .transfersHandlerOffMain,
            { callLog in
                WatchfulApp(callLog) { $0.onTransfers = { DispatchQueue(label: "elsewhere").async(execute: $0) } }
            },
            play: { app in
                try app.phone.system.terminate(app.bundleID)
                try await app.phone.system.finishBackgroundTransfers(ofSession: "s", in: app.bundleID)
                try await app.phone.settled()
            }),
        MistakeScenario(.responseHandlerOffMain, { _ in RespondingApp(.elsewhere) }, play: tapped),
        MistakeScenario(.centerHandlerTwice, { _ in RespondingApp(.twice) }, play: tapped),
    ]

    static func tapped(_ app: AppUnderTest) async throws {
        try await app.suspend()
        try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
        try await app.tap("m1")
    }
}

/// A value that Swift does not bridge to Objective-C.
private struct Article { let number: Int }

@MainActor private protocol Scheduling { func scheduleNull() }

private struct OldScheduler: Scheduling {
    @available(*, deprecated)
    @MainActor func scheduleNull() {
        let notification = UILocalNotification()
        notification.alertBody = "Hello"
        notification.userInfo = ["photo": NSNull()]
        UIApplication.shared.scheduleLocalNotification(notification)
    }
}

/// Answers taps in a way of its own.
final class RespondingApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    enum Way { case elsewhere, twice, onMain }

    private let way: Way

    init(_ way: Way) {
        self.way = way
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        application.registerForRemoteNotifications()
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        switch way {
        case .elsewhere: DispatchQueue(label: "elsewhere").async(execute: completionHandler)
        case .twice: for _ in 1...2 { completionHandler() }
        case .onMain:
            DispatchQueue(label: "elsewhere").async { DispatchQueue.main.async(execute: completionHandler) }
        }
    }
}
