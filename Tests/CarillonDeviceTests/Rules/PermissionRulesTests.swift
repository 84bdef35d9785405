import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("Rules: permission and registration") struct PermissionRulesTests {
    private let id = TestPhone.bundleID

    @Test("1: a permission has five states, and a setting is not supported, disabled or enabled")
    func settings() async throws {
        let kept = KeptCenter()
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { _ in kept.center = UNUserNotificationCenter.current() }
        }) { app, _ in
            try await app.phone.openApp(id)
            try await app.phone.settled()
            let center = try #require(kept.center)
            #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
            #expect(await center.notificationSettings().alertSetting == .notSupported)
            try await app.phone.answerPermission(allow: true)
            let allowed = await center.notificationSettings()
            #expect(allowed.authorizationStatus == .authorized && allowed.soundSetting == .enabled)
            #expect(allowed.criticalAlertSetting == .notSupported)
            try app.phone.settings.setNotificationsAllowed(false, for: id)
            let denied = await center.notificationSettings()
            #expect(denied.authorizationStatus == .denied && denied.alertSetting == .disabled)
        }
    }

    @Test(
        "2: after a change in Settings a later request gets what holds now, or the first answer",
        arguments: [true, false])
    func laterRequest(_ repeats: Bool) async throws {
        var rules = PhoneRules()
        rules.laterRequestRepeatsFirstAnswer = repeats
        try await AppUnderTest.run(rules: rules) { app, callLog in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try app.phone.settings.setNotificationsAllowed(false, for: id)
            try app.phone.system.terminate(id)
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(callLog.lines.last { $0.hasPrefix("granted") } == "granted: \(repeats)")
        }
    }

    @Test("2: only the first request prompts; a later one gets the recorded answer", arguments: [true, false])
    func promptsOnce(_ allow: Bool) async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, callLog in
            try await app.phone.openApp(id)
            try await app.phone.settled()
            try await app.phone.answerPermission(allow: allow)
            try await app.phone.settled()
            try app.phone.system.terminate(id)
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(app.phone.permissionSheet == nil)
            #expect(callLog.lines.filter { $0 == "granted: \(allow)" }.count == 2)
        }
    }

    @Test("3: provisional permission comes without a prompt and is quiet; the person can turn it off")
    func provisional() async throws {
        try await AppUnderTest.run(asking: { ProvisionalApp($0) }) { app, _ in
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(app.phone.authorizationStatus(of: id) == .provisional)
            await app.phone.lock()
            let quiet = try await app.push(["aps": ["alert": "Hello", "sound": "default"]]).presentation
            #expect(quiet?.list == true && quiet?.lockScreen == false && quiet?.sound == nil)
            try app.phone.settings.setNotificationsAllowed(false, for: id)
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation?.isShown == false)
        }
    }

    @Test("4: a change in Settings counts from the next notification on")
    func changedFromOutside() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            #expect(try await app.push(["aps": ["alert": "Hello"]]).presentation?.banner == true)
            try app.phone.settings.change(of: id) { $0.banners = false }
            let later = try await app.push(["aps": ["alert": "Hello"]]).presentation
            #expect(later?.banner == false && later?.list == true)
            try app.phone.settings.change(of: id) { $0.sounds = false }
            #expect(try await app.push(["aps": ["alert": "Hello", "sound": "default"]]).presentation?.sound == nil)
        }
    }

    @Test("5: a token comes without permission, and what then arrives wakes the app but shows nothing")
    func tokenWithoutPermission() async throws {
        try await TestPhone.run { test in
            test.install { RegisteringApp($0) }
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.callLog.contains("token"))
            await test.phone.pressHome()
            let entry = try await test.push(["aps": ["alert": "Hello", "content-available": 1]])
            #expect(entry.presentation?.isShown == false)
            #expect(entry.presentation?.why.first?.contains("not been asked for permission") == true)
            #expect(entry.wake?.kind == .called)
        }
    }

    @Test("5: a refused registration is told to the failure callback")
    func failure() async throws {
        let link = TokenLink()
        link.refuses = true
        try await TestPhone.run(link: link) { test in
            try await test.openAllowed()
            #expect(test.callLog.contains("no token"))
        }
    }

    @Test("6: a token may have any length, stays while the app does, and is new after a reinstall")
    func tokens() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            try await test.openAllowed()
            let first = test.phone.deviceToken(of: id)
            #expect(first?.count == 40)
            try test.phone.system.terminate(id)
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.phone.deviceToken(of: id) == first)
            try await test.phone.uninstall(id)
            try await test.openAllowed()
            #expect(test.phone.deviceToken(of: id) != first)
        }
    }

    @Test("39: an update keeps what the person has set for the app, its categories, its permission and its list")
    func update() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed { AskingApp($0) { $0.categories = [.news] } }
            let phone = test.phone
            try phone.settings.change(of: id) { $0.sounds = false }
            try phone.settings.setBackgroundRefresh(false, for: id)
            try await test.push(
                ["aps": ["alert": "Hello", "badge": 3, "category": "news"]], collapseID: "m1")
            test.install { AskingApp($0) }
            #expect(test.shown.map(\.identifier) == ["m1"] && phone.badge(of: id) == 3)
            #expect(phone.authorizationStatus(of: id) == .authorized)
            #expect(try !phone.settings.isBackgroundRefreshOn(for: id))
            #expect(phone.actions(of: "m1", in: id).map(\.identifier) == ["archive", "reply", "view"])
            let quiet = try await test.push(["aps": ["alert": "Hello", "sound": "default"]])
            #expect(quiet.presentation?.banner == true && quiet.presentation?.sound == nil)
        }
    }

    @Test("6: the same app on another phone, restored from this one's backup, gets a new token and keeps its files")
    func restored() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { old in
            try await old.openAllowed()
            let folder = try #require(old.phone.containerFolder(of: id))
            try Data("kept".utf8).write(to: folder.appending(path: "note.txt"))
            try await TestPhone.run(link: link) { new in
                try await new.phone.restore(from: old.phone)
                let restored = try #require(new.phone.containerFolder(of: id))
                #expect(try Data(contentsOf: restored.appending(path: "note.txt")) == Data("kept".utf8))
                #expect(new.phone.deviceToken(of: id) == nil)
                #expect(new.phone.authorizationStatus(of: id) == .authorized)
                try await new.phone.openApp(id)
                try await new.phone.settled()
                #expect(new.phone.deviceToken(of: id) != nil)
                #expect(new.phone.deviceToken(of: id) != old.phone.deviceToken(of: id))
            }
        }
    }

    @Test("7: deleting the app tells the push service that its token is no longer valid")
    func unregistered() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            try await test.openAllowed()
            let token = try #require(test.phone.deviceToken(of: id))
            try await test.phone.uninstall(id)
            #expect(link.invalidated == [token])
        }
    }
}

/// Registers without asking for permission.
final class RegisteringApp: CallLoggingResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { callLog.write("token") }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.newData) }
}
