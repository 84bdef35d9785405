import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Settings, reinstalled apps and launches that developers reported.
@MainActor @Suite("Reported: settings, reinstalls and launches") struct ReportedSettingsTests {
    private let id = TestPhone.bundleID

    @Test("30: the service extension runs where alerts are on the lock screen only, whose text it must decrypt")
    func extensionOnLockScreenOnly() async throws {
        try await TestPhone.run { test in
            try await test.extensionApp { _ in DecryptingExtension() }
            for item in [NotificationSwitch.banners, .notificationCenter] {
                try test.phone.settings.set(item, to: false, for: id)
            }
            await test.phone.lock()
            let push: JSONValue = ["aps": ["alert": "c2VjcmV0", "mutable-content": 1]]
            let trace = try await test.push(push, collapseID: "m1")
            #expect(trace.presentation?.lockScreen == true && trace.notes == ["the service extension has handled it"])
            #expect(test.phone.lockScreenNotifications(of: id).map(\.request.content.body) == ["secret"])
            try test.phone.settings.set(.lockScreen, to: false, for: id)
            #expect(
                try await test.push(push).notes == ["the service extension did not run: alerts are not enabled"])
        }
    }

    /// <https://github.com/phonegap/phonegap-plugin-push/issues/635>, <https://github.com/katzer/cordova-plugin-badge/issues/135>,
    /// <https://github.com/jpush/jpush-phonegap-plugin/issues/251>, <https://github.com/deltachat/deltachat-ios/pull/627>,
    /// <https://github.com/g123k/flutter_app_badger/issues/91>, <https://github.com/invertase/react-native-firebase/issues/2429>
    @Test("27: the badge of a deleted app is there again after a reinstall, until the app or an erase clears it")
    func badgeOfReinstalledApp() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello", "badge": 4]])
            try await test.phone.uninstall(id)
            #expect(test.phone.badge(of: id) == 0)
            test.install { AskingApp($0) }
            #expect(test.phone.badge(of: id) == 4, "before the first launch, and without permission")
            #expect(test.phone.authorizationStatus(of: id) == .notDetermined)
            try await test.openAllowed()
            await test.phone.run(in: id) { UIApplication.shared.applicationIconBadgeNumber = 0 }
            try await test.phone.settled()
            try await test.phone.uninstall(id)
            test.install { AskingApp($0) }
            #expect(test.phone.badge(of: id) == 0)
            try await test.openAllowed()
            try await test.push(["aps": ["badge": 2]])
            await test.phone.erase()
            test.install { AskingApp($0) }
            #expect(test.phone.badge(of: id) == 0)
        }
    }

    /// <https://github.com/OneSignal/OneSignal-iOS-SDK/pull/939>
    @Test("27: an app that nobody has allowed yet clears the badge that it finds after a reinstall")
    func badgeClearedWithoutPermission() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello", "badge": 4]])
            try await test.phone.uninstall(id)
            test.install { WatchfulApp($0) { $0.onLaunch = { $0.applicationIconBadgeNumber = 0 } } }
            #expect(test.phone.badge(of: id) == 4)
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.phone.authorizationStatus(of: id) == .notDetermined && test.phone.badge(of: id) == 0)
        }
    }

    @Test("27: if the rule is off, the badge goes with the app")
    func badgeGoes() async throws {
        var rules = PhoneRules()
        rules.reinstalledAppKeepsBadge = false
        try await TestPhone.run(rules: rules) { test in
            try await test.suspendedAllowed()
            try await test.push(["aps": ["alert": "Hello", "badge": 4]])
            try await test.phone.uninstall(id)
            test.install { AskingApp($0) }
            #expect(test.phone.badge(of: id) == 0)
        }
    }

    @Test("22: didFinishLaunchingNotification has the launch options in its userInfo: a tap, a silent push, a link")
    func launchNotification() async throws {
        let bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { LaunchWatchingApp() })
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            @MainActor func seen() -> [String]? { app.delegate(as: LaunchWatchingApp.self)?.seen }
            try await app.open()
            #expect(seen() == ["none"])
            try app.phone.system.terminate(id)
            try await app.push(["aps": ["alert": "Hello"], "article": "7"], collapseID: "m1")
            try await app.tap("m1")
            #expect(seen() == ["push 7, by text 7"])
            try app.phone.system.terminate(id)
            try await app.push(["aps": ["content-available": 1], "article": "8"])
            #expect(seen() == ["push 8, by text 8"])
        }
    }

    @Test("1: announcementSetting is disabled, as the person has not switched on that Siri reads notifications aloud")
    func announcements() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            let center = try await app.phone.value(in: id) { UNUserNotificationCenter.current() }
            #expect(await center.notificationSettings().announcementSetting == .disabled)
        }
    }
}

/// Decrypts the text of each push.
private final class DecryptingExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let content = UNMutableNotificationContent()
        content.body = String(decoding: Data(base64Encoded: request.content.body) ?? Data(), as: UTF8.self)
        contentHandler(content)
    }
}

/// Reads the reason for its launch in `UIApplication.didFinishLaunchingNotification`.
private final class LaunchWatchingApp: UIResponder, UIApplicationDelegate {
    private(set) var seen: [String] = []

    override init() {
        super.init()
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil
        ) { [weak self] note in
            let line = Self.line(note.userInfo)
            MainActor.assumeIsolated { self?.seen.append(line) }
        }
    }

    private nonisolated static func line(_ userInfo: [AnyHashable: Any]?) -> String {
        guard let userInfo else { return "none" }
        func article(_ key: AnyHashable) -> String {
            (userInfo[key] as? [AnyHashable: Any])?["article"] as? String ?? "nothing"
        }
        let key = UIApplication.LaunchOptionsKey.remoteNotification
        return "push \(article(key)), by text \(article(key.rawValue))"
    }
}
