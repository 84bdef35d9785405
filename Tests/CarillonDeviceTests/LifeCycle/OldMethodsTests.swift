import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Push code from before iOS 10") struct OldMethodsTests {
    private let id = TestPhone.bundleID

    /// Installs the app, opens it, and allows what it asks for.
    private func openAllowed(_ test: TestPhone) async throws -> any OldAppCalls {
        test.install { OldMethodsApp($0) }
        try await test.phone.openApp(id)
        try await test.phone.until("the sheet is up") { $0.permissionSheet != nil }
        try await test.phone.answerPermission(allow: true)
        try await test.phone.settled()
        return try #require(test.phone.delegate(of: id) as? any OldAppCalls)
    }

    private func suspend(_ test: TestPhone) async throws {
        await test.phone.pressHome()
        test.clock.advance(by: .seconds(5))
        try await test.phone.settled()
    }

    private func run(
        _ test: TestPhone, _ app: any OldAppCalls, _ body: @escaping @MainActor (any OldAppCalls) -> Void
    ) async throws {
        await test.phone.run(in: id) { body(app) }
        try await test.phone.settled()
    }

    @Test("registerUserNotificationSettings asks the person, and the delegate is told what was allowed")
    func registers() async throws {
        try await TestPhone.run { test in
            let app = try await openAllowed(test)
            #expect(test.callLog.lines == ["launched", "may show: 7"])
            #expect(test.phone.categories(of: id).map(\.identifier) == ["story"])
            try await run(test, app) { $0.registerAsBeforeIOS8() }
            #expect(test.callLog.lines.last == "types: 0")
            let trace = try #require(test.phone.traces.last)
            #expect(trace.event == "registerForRemoteNotifications(matching:)")
            #expect(trace.notes.first?.contains("since iOS 8") == true)
            try test.phone.settings.change(of: id) { $0.badges = false }
            try await run(test, app) { $0.ask() }
            #expect(test.callLog.lines.last == "may show: 6")
        }
    }

    @Test("a UILocalNotification is shown when its time comes, and a tap launches the app with it")
    func localNotification() async throws {
        try await TestPhone.run { test in
            let app = try await openAllowed(test)
            try await run(test, app) { [now = test.clock.now.date] in $0.schedule("later", at: now + 60, repeats: false)
            }
            #expect(test.callLog.lines.last == "scheduled: later")
            try await suspend(test)
            test.clock.advance(by: .seconds(55))
            try await test.phone.settled()
            let shown = try #require(test.shown.first)
            #expect(shown.content.body == "later" && shown.content.badge == 2 && shown.content.sound == .default)
            try await test.phone.tap(shown.identifier, in: id)
            #expect(test.callLog.lines.last == "received later")
            try await run(test, app) { $0.schedule("cold", at: nil, repeats: false) }
            #expect(test.callLog.lines.last == "received cold")
            try await run(test, app) { [now = test.clock.now.date] in $0.schedule("cold", at: now + 60, repeats: false)
            }
            try test.phone.system.terminate(id)
            test.clock.advance(by: .seconds(60))
            try await test.phone.settled()
            try await test.phone.tap(try #require(test.shown.first).identifier, in: id)
            try await test.phone.settled()
            #expect(test.callLog.lines.suffix(2) == ["launched by cold", "may show: 7"])
        }
    }

    @Test("in front it is not shown: the app is told; one that repeats comes again; cancelled ones do not come")
    func foregroundAndCancelling() async throws {
        try await TestPhone.run { test in
            let app = try await openAllowed(test)
            let now = test.clock.now.date
            try await run(test, app) {
                $0.schedule("hourly", at: now + 3600, repeats: true)
                $0.schedule("once", at: now + 1800, repeats: false)
            }
            #expect(test.callLog.lines.last == "scheduled: once, hourly")
            try await run(test, app) { $0.cancel("once") }
            for _ in 0..<2 {
                test.clock.advance(by: .seconds(3600))
                try await test.phone.settled()
            }
            #expect(test.shown.isEmpty)
            #expect(test.callLog.lines.suffix(2) == ["received hourly", "received hourly"])
            #expect(
                test.phone.traces.last?.notes.contains { $0.contains("told by application(_:didReceive:)") } == true)
            try await run(test, app) { $0.cancel(nil) }
            #expect(test.phone.pendingRequests(of: id).isEmpty)
        }
    }

    @Test("an action comes to handleActionWithIdentifier, of a push and of a local notification, with what was typed")
    func actions() async throws {
        try await TestPhone.run { test in
            let app = try await openAllowed(test)
            try await suspend(test)
            let push = try await test.push(
                ["aps": ["alert": "Hello", "category": "story"], "page": 7], collapseID: "m1")
            try await test.phone.choose("like", on: "m1", in: id)
            try await test.phone.settled()
            #expect(test.callLog.lines.last == "like on the push of page 7")
            #expect(test.phone.runningState(of: id) == .suspended)
            #expect(try test.entry(push.number).notes.last?.contains("told by the app delegate") == true)
            try await test.phone.openApp(id)
            try await run(test, app) { [now = test.clock.now.date] in $0.schedule("later", at: now + 60, repeats: false)
            }
            try await suspend(test)
            test.clock.advance(by: .seconds(60))
            try await test.phone.settled()
            let local = try #require(test.shown.first).identifier
            try await test.phone.choose("reply", on: local, in: id, text: "Thanks")
            try await test.phone.settled()
            #expect(test.callLog.lines.last == "reply on later: Thanks")
            #expect(test.phone.runningState(of: id) == .foregroundActive)
        }
    }

    @Test("links come to the method with a source application, and to handleOpen where that is all there is")
    func links() async throws {
        try await TestPhone.run { test in
            let link = try #require(URL(string: "chime://7"))
            _ = try await openAllowed(test)
            try await test.phone.openURL(link, in: id)
            #expect(test.callLog.lines.last == "opens chime://7 from com.apple.mobilesafari")
            test.install("app.older") { OldestApp($0) }
            try await test.phone.openApp("app.older")
            try await test.phone.openURL(link, in: "app.older")
            #expect(test.callLogs["app.older"]?.lines == ["opens chime://7"])
        }
    }

    @Test("with a center delegate none of these is called")
    func centerDelegateWins() async throws {
        try await TestPhone.run { test in
            let app = try await openAllowed(test)
            let centerDelegate = CenterDelegate(test.callLog)
            await test.phone.run(in: id) { UNUserNotificationCenter.current().delegate = centerDelegate }
            try await run(test, app) { $0.schedule("100 %% now", at: nil, repeats: false) }
            #expect(test.callLog.lines.last == "willPresent 100 % now")
            let local = try #require(test.shown.first).identifier
            try await test.phone.choose("like", on: local, in: id)
            try await test.phone.settled()
            #expect(test.callLog.lines.last == "didReceive like")
        }
    }
}

/// The actions that a test asks of the app.
///
/// The app's methods are deprecated; a call through this protocol gives no warning.
@MainActor private protocol OldAppCalls {
    func ask()
    func registerAsBeforeIOS8()
    func schedule(_ text: String, at date: Date?, repeats: Bool)
    /// - Parameter text: `nil`: all.
    func cancel(_ text: String?)
}

private final class OldMethodsApp: CallLoggingResponder, UIApplicationDelegate, OldAppCalls {
    @available(*, deprecated)
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let local = launchOptions?[.localNotification] as? UILocalNotification
        callLog.write("launched\(local?.alertBody.map { " by \($0)" } ?? "")")
        ask()
        return true
    }

    @available(*, deprecated)
    func ask() {
        let like = UIMutableUserNotificationAction()
        like.identifier = "like"
        like.title = "Like"
        like.activationMode = .background
        let reply = UIMutableUserNotificationAction()
        reply.identifier = "reply"
        reply.title = "Reply"
        reply.behavior = .textInput
        let story = UIMutableUserNotificationCategory()
        story.identifier = "story"
        story.setActions([like, reply], for: .default)
        UIApplication.shared.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: [story]))
    }

    @available(*, deprecated)
    func registerAsBeforeIOS8() {
        UIApplication.shared.registerForRemoteNotifications(matching: [.alert, .badge])
        callLog.write("types: \(UIApplication.shared.enabledRemoteNotificationTypes.rawValue)")
    }

    @available(*, deprecated)
    func schedule(_ text: String, at date: Date?, repeats: Bool) {
        let notification = UILocalNotification()
        notification.alertBody = text
        notification.category = "story"
        notification.soundName = UILocalNotificationDefaultSoundName
        notification.applicationIconBadgeNumber = 2
        guard let date else { return UIApplication.shared.presentLocalNotificationNow(notification) }
        notification.fireDate = date
        if repeats { notification.repeatInterval = .hour }
        UIApplication.shared.scheduleLocalNotification(notification)
        let scheduled = UIApplication.shared.scheduledLocalNotifications ?? []
        callLog.write("scheduled: " + scheduled.compactMap(\.alertBody).joined(separator: ", "))
    }

    @available(*, deprecated)
    func cancel(_ text: String?) {
        guard let text else { return UIApplication.shared.cancelAllLocalNotifications() }
        for notification in UIApplication.shared.scheduledLocalNotifications ?? []
        where notification.alertBody == text { UIApplication.shared.cancelLocalNotification(notification) }
    }

    @available(*, deprecated)
    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings) {
        callLog.write("may show: \(notificationSettings.types.rawValue)")
    }

    @available(*, deprecated)
    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        callLog.write("received \(notification.alertBody ?? "")")
    }

    @available(*, deprecated)
    func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let text = responseInfo[UIUserNotificationActionResponseTypedTextKey] as? String
        callLog.write("\(identifier ?? "") on \(notification.alertBody ?? ""): \(text ?? "")")
        completionHandler()
    }

    @available(*, deprecated)
    func application(
        _ application: UIApplication, handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("\(identifier ?? "") on the push of page \(userInfo["page"] as? Int ?? 0)")
        completionHandler()
    }

    @available(*, deprecated)
    func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool {
        callLog.write("opens \(url.absoluteString) from \(sourceApplication ?? "nowhere")")
        return true
    }
}

private final class OldestApp: CallLoggingResponder, UIApplicationDelegate {
    @available(*, deprecated)
    func application(_ application: UIApplication, handleOpen url: URL) -> Bool {
        callLog.write("opens \(url.absoluteString)")
        return true
    }
}

private final class CenterDelegate: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
    private let callLog: CallLog

    @MainActor init(_ callLog: CallLog) { self.callLog = callLog }

    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        callLog.write("willPresent \(notification.request.content.body)")
        completionHandler([.list])
    }

    @MainActor func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        callLog.write("didReceive \(response.actionIdentifier)")
        completionHandler()
    }
}
