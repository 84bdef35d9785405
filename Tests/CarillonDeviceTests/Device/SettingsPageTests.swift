import CarillonCore
import CarillonDevice
import Testing
import UIKit
import UserNotifications

@MainActor @Suite("The Settings app") struct SettingsPageTests {
    private let id = TestPhone.bundleID

    /// Returns the values in the app's `UNNotificationSettings`, by the switch that controls each of them.
    private func told(_ test: TestPhone) async throws -> [NotificationSwitch: UNNotificationSetting] {
        var center: UNUserNotificationCenter?
        await test.phone.run(in: id) { center = .current() }
        let settings = try await #require(center).notificationSettings()
        return [
            .banners: settings.alertSetting, .sounds: settings.soundSetting, .badges: settings.badgeSetting,
            .lockScreen: settings.lockScreenSetting, .notificationCenter: settings.notificationCenterSetting,
            .timeSensitive: settings.timeSensitiveSetting, .scheduledSummary: settings.scheduledDeliverySetting,
            .criticalAlerts: settings.criticalAlertSetting,
        ]
    }

    /// Asks for options in the app's code, and returns what the app is told.
    private func ask(_ options: UNAuthorizationOptions, in test: TestPhone) async throws {
        await test.phone.run(in: id) { [callLog = test.callLog] in
            UNUserNotificationCenter.current().requestAuthorization(options: options) { granted, _ in
                MainActor.assumeIsolated { callLog.write("asked: \(granted)") }
            }
        }
        try await test.phone.settled()
    }

    @Test("critical alerts, asked for later, have a question of their own; a refusal leaves the permission as it is")
    func criticalAlertsLater() async throws {
        for allow in [false, true] {
            try await TestPhone.run { test in
                try await test.openAllowed(entitlements: [.criticalAlerts])
                #expect(try await told(test)[.criticalAlerts] == .notSupported)
                try await ask([.alert, .criticalAlert], in: test)
                #expect(test.phone.permissionSheet?.question == .criticalAlerts)
                try await test.phone.answerPermission(allow: allow)
                try await test.phone.settled()
                #expect(test.callLog.lines.last { $0.hasPrefix("asked") } == "asked: true")
                #expect(test.phone.authorizationStatus(of: id) == .authorized)
                #expect(try await told(test)[.criticalAlerts] == (allow ? .enabled : .disabled))
                #expect(try await told(test)[.banners] == .enabled)
                try await ask([.criticalAlert], in: test)
                #expect(test.phone.permissionSheet == nil, "asked once")
            }
        }
    }

    @Test("critical alerts, asked for at once, follow the ordinary question, unless that is refused or the rule is off")
    func criticalAlertsAtOnce() async throws {
        var rules = PhoneRules()
        for (own, allows) in [(true, true), (true, false), (false, true)] {
            rules.criticalAlertsHaveOwnQuestion = own
            try await TestPhone.run(rules: rules) { test in
                test.install(entitlements: [.criticalAlerts]) { AskingApp($0) { $0.options.insert(.criticalAlert) } }
                try await test.phone.openApp(id)
                try await test.phone.settled()
                #expect(test.phone.permissionSheet?.question == .notifications)
                try await test.phone.answerPermission(allow: allows)
                try await test.phone.settled()
                #expect((test.phone.permissionSheet?.question == .criticalAlerts) == (own && allows))
                guard own, allows else { return }
                #expect(!test.callLog.contains("granted: true"), "the app is told after the last answer")
                try await test.phone.answerPermission(allow: true)
                try await test.phone.settled()
                #expect(test.callLog.contains("granted: true") && test.callLog.lines.contains("active"))
                #expect(try await told(test)[.criticalAlerts] == .enabled)
            }
        }
    }

    @Test("without the entitlement nobody is asked for critical alerts")
    func criticalAlertsWithoutEntitlement() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            try await ask([.alert, .criticalAlert], in: test)
            #expect(test.phone.permissionSheet == nil)
            #expect(try await told(test)[.criticalAlerts] == .notSupported)
        }
    }

    @Test("4: each switch on the app's page is told to the app, it alone, and it is back when turned on again")
    func switches() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed(entitlements: [.timeSensitive, .criticalAlerts]) {
                AskingApp($0) { $0.options.insert(.criticalAlert) }
            }
            try test.phone.settings.set(.scheduledSummary, to: true, for: id)
            let before = try await told(test)
            #expect(before.values.allSatisfy { $0 == .enabled })
            #expect(try test.phone.settings.page(of: id).rows.map(\.item) == NotificationSwitch.allCases)
            for item in NotificationSwitch.allCases {
                try test.phone.settings.set(item, to: false, for: id)
                let after = try await told(test)
                #expect(after.filter { $0.value == .disabled }.keys.map(\.rawValue) == [item.rawValue])
                #expect(try test.phone.settings.page(of: id).rows.filter { !$0.isOn }.map(\.item) == [item])
                try test.phone.settings.set(item, to: true, for: id)
            }
            #expect(try await told(test) == before)
        }
    }

    @Test("Don't Allow is not for ever: allowed in Settings, the next message is shown, and the app asked once")
    func allowedLater() async throws {
        try await TestPhone.run { test in
            test.install { AskingApp($0) }
            try await test.phone.openApp(id)
            try await test.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
            try await test.phone.answerPermission(allow: false)
            try await test.phone.settings.open()
            try await test.phone.settled()
            #expect(test.phone.settings.isOpen && test.phone.frontApp == nil)
            #expect(try test.phone.settings.page(of: id).rows.isEmpty)
            #expect(try await !#require(test.push(["aps": ["alert": "A"]]).presentation).isShown)
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            #expect(try !test.phone.settings.page(of: id).rows.isEmpty)
            #expect(try await #require(test.push(["aps": ["alert": "B"]]).presentation).banner)
            await test.phone.pressHome()
            #expect(!test.phone.settings.isOpen)
        }
    }

    @Test(
        "whatever an app has asked for, Settings can make its next alert seen, except without alerts",
        arguments: [
            [.provisional], [.provisional, .alert], [.provisional, .sound], [.alert], [.alert, .sound, .badge],
            [.carPlay], [.sound],
        ] as [UNAuthorizationOptions])
    func canBeLeft(options: UNAuthorizationOptions) async throws {
        try await TestPhone.run { test in
            test.install { AskingApp($0) { $0.options = options } }
            try await test.phone.openApp(id)
            try await test.phone.settled()
            if test.phone.permissionSheet != nil { try await test.phone.answerPermission(allow: true) }
            await test.phone.pressHome()
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            for row in try test.phone.settings.page(of: id).rows where !row.isOn && row.item != .scheduledSummary {
                try test.phone.settings.set(row.item, to: true, for: id)
            }
            let trace = try await test.push(["aps": ["alert": "A"]])
            let hasAlerts = options.contains(.alert) || options == [.provisional]
            #expect(trace.presentation?.banner == hasAlerts, "\(trace.presentation?.why ?? [])")
        }
    }

    @Test("a switch decides where the next message is shown")
    func effects() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            @MainActor func shown() async throws -> Presentation {
                let trace = try await app.push(["aps": ["alert": "A", "sound": "default", "badge": 3]])
                return try #require(trace.presentation)
            }
            try app.phone.settings.set(.banners, to: false, for: id)
            #expect(try await !shown().banner)
            try app.phone.settings.set(.sounds, to: false, for: id)
            #expect(try await shown().sound == nil)
            try app.phone.settings.set(.badges, to: false, for: id)
            #expect(try await shown().badge == nil)
            await app.phone.lock()
            #expect(try await shown().lockScreen)
            try app.phone.settings.set(.lockScreen, to: false, for: id)
            #expect(try await !shown().lockScreen)
            try app.phone.settings.set(.notificationCenter, to: false, for: id)
            #expect(try await !shown().isShown)
        }
    }

    @Test("3: a provisional app's page has off what would be noticed; whoever turns one on decides for that one alone")
    func provisional() async throws {
        try await AppUnderTest.run(asking: { LoudProvisionalApp($0) }) { app, _ in
            try await app.phone.openApp(id)
            try await app.phone.settled()
            #expect(app.phone.authorizationStatus(of: id) == .provisional)
            let page = try app.phone.settings.page(of: id)
            #expect(page.rows.filter(\.isOn).map(\.item) == [.notificationCenter])
            try app.phone.settings.set(.sounds, to: false, for: id)
            #expect(app.phone.authorizationStatus(of: id) == .provisional)
            try app.phone.settings.set(.banners, to: true, for: id)
            #expect(app.phone.authorizationStatus(of: id) == .authorized)
            let kept = try app.phone.settings.page(of: id)
            #expect(kept.rows.filter(\.isOn).map(\.item) == [.notificationCenter, .banners])
        }
    }

    @Test("Settings stays in front over a lock; an app, the home button and a tap on a notification leave it")
    func inFront() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.phone.settings.open()
            await app.phone.lock()
            await #expect(throws: PhoneError.self) { try await app.phone.settings.open() }
            await app.phone.unlock()
            #expect(app.phone.settings.isOpen)
            try await app.phone.openApp(id)
            #expect(!app.phone.settings.isOpen && app.phone.frontApp == id)
            try await app.phone.settings.open()
            try await app.push(["aps": ["alert": "A"]], collapseID: "m1")
            try await app.phone.tap("m1", in: id)
            #expect(!app.phone.settings.isOpen && app.phone.frontApp == id)
        }
    }

    @Test("an app's link to its own settings opens Settings")
    func linked() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            await test.phone.run(in: id) {
                if let url = URL(string: UIApplication.openNotificationSettingsURLString) {
                    UIApplication.shared.open(url)
                }
            }
            try await test.phone.until("Settings is open") { $0.settings.isOpen }
        }
    }
}

/// Asks for provisional permission only.
private final class LoudProvisionalApp: CallLoggingResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().requestAuthorization(
            options: [.provisional, .alert, .sound, .badge]
        ) { _, _ in }
        return true
    }
}
