import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Only the async forms, as newer apps have them.
final class AsyncApp: CallLoggingResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        let shown = await UNUserNotificationCenter.current().deliveredNotifications()
        callLog.write("push, \(shown.count) shown")
        return .newData
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await Task.yield()
        callLog.write("shortcut \(shortcutItem.type)")
        return true
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String
    ) async {
        await Task.yield()
        callLog.write("transfers of \(identifier)")
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await callLog.write("willPresent \(notification.request.identifier)")
        return [.banner]
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async { await callLog.write("tapped \(response.notification.request.identifier)") }
}

/// A scene's delegate with the async form of its one method that has two.
final class AsyncScene: CallLoggingResponder, UIWindowSceneDelegate {
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await Task.yield()
        callLog.write("shortcut \(shortcutItem.type) in a scene")
        return true
    }
}

/// A delegate of everything that implements nothing.
final class DeafApp: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }
}

/// Hands what it gets on to another delegate, by completion form.
final class ForwardingApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    let inner: AsyncApp

    init(_ inner: AsyncApp) {
        self.inner = inner
        super.init()
    }

    override init() {
        inner = AsyncApp()
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        inner.application(
            application, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: completionHandler)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        inner.userNotificationCenter(center, willPresent: notification, withCompletionHandler: completionHandler)
    }
}

@MainActor @Suite("Delegate methods in two forms") struct DelegateFormsTests {
    private let id = TestPhone.bundleID

    @Test("an app with only the async forms is presented for, tapped and woken like any other")
    func asyncForms() async throws {
        try await AppUnderTest.run(asking: { AsyncApp($0) }) { app, callLog in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.openApp(app.bundleID)
            let shown = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(shown.presentation?.banner == true && shown.presentation?.list == false)
            try await app.phone.tap("m1", in: id)
            await app.phone.pressHome()
            app.clock.advance(by: .seconds(5))
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m2")
            let wake = try await app.push(["aps": ["content-available": 1]], type: .background)
            #expect(wake.wake?.answer == .newData)
            #expect(callLog.lines == ["willPresent m1", "tapped m1", "push, 1 shown"])
            #expect(app.phone.runningState(of: id) == .suspended)
        }
    }

    @Test("shortcuts and transfers have two forms as well, in the app's delegate and the scene's")
    func otherForms() async throws {
        try await TestPhone.run { test in
            let item = UIApplicationShortcutItem(type: "compose", localizedTitle: "Compose")
            try await test.openPermitted { AsyncApp($0) }
            try await test.phone.chooseShortcut(item, of: id)
            try await test.phone.settled()
            await test.phone.pressHome()
            test.clock.advance(by: .seconds(5))
            try await test.phone.settled()
            let number = try await test.phone.system.finishBackgroundTransfers(ofSession: "photos", in: id)
            try await test.phone.settled()
            #expect(test.callLog.lines == ["shortcut compose", "transfers of photos"])
            #expect(try test.entry(number).wake?.answer == .handled)
            #expect(test.phone.runningState(of: id) == .suspended)
            try test.installPermitted { _ in DeafApp() }
            let unheard = try await test.phone.system.finishBackgroundTransfers(ofSession: "photos", in: id)
            try await test.phone.chooseShortcut(item, of: id)
            try await test.phone.settled()
            #expect(try test.entry(unheard).wake?.answer == .notImplemented)
            let callLog = test.callLog
            test.phone.install(
                AppBundle(
                    bundleID: id, name: "Chime", usesScenes: true, makeSceneDelegate: { AsyncScene(callLog) },
                    makeDelegate: { DeafApp() }))
            try await test.phone.openApp(id)
            try await test.phone.chooseShortcut(item, of: id)
            try await test.phone.settled()
            #expect(test.callLog.lines.last == "shortcut compose in a scene")
            #expect(test.phone.traces.allSatisfy { $0.event != "performActionFor" })
        }
    }

    @Test("a delegate that implements nothing is told nothing, shows nothing, and hangs nothing")
    func neitherForm() async throws {
        try await AppUnderTest.run(asking: { _ in DeafApp() }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.openApp(app.bundleID)
            let shown = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(shown.presentation?.isShown == false)
            #expect(shown.presentation?.why.contains { $0.contains("has no willPresent") } == true)
            let wake = try await app.push(["aps": ["content-available": 1]], type: .background)
            #expect(wake.wake?.answer == .notImplemented)
        }
    }

    @Test("a delegate that forwards the completion form reaches one that has only the async form")
    func forwarding() async throws {
        try await AppUnderTest.run(asking: { ForwardingApp(AsyncApp($0)) }) { app, callLog in
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await app.phone.openApp(app.bundleID)
            let shown = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(shown.presentation?.banner == true)
            let wake = try await app.push(["aps": ["content-available": 1]], type: .background)
            #expect(wake.wake?.answer == .newData)
            #expect(callLog.lines == ["willPresent m1", "push, 0 shown"])
        }
    }
}
