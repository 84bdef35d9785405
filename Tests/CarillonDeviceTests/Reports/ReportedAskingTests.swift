import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Permission, launches and reminders that developers reported, each with the address of the report.
@MainActor @Suite("Reported: permission, launches and reminders") struct ReportedAskingTests {
    private let id = TestPhone.bundleID

    private func settings(of app: AppUnderTest) async throws -> UNNotificationSettings {
        let center = try await app.phone.value(in: id) { UNUserNotificationCenter.current() }
        return await center.notificationSettings()
    }

    private func ask(_ options: UNAuthorizationOptions, in app: AppUnderTest) async throws {
        await app.phone.run(in: id) {
            UNUserNotificationCenter.current().requestAuthorization(options: options) { _, _ in }
        }
        try await app.phone.settled()
    }

    /// Lets the app schedule the reminder `r1`.
    private func remind(_ trigger: UNNotificationTrigger, category: String = "", in app: AppUnderTest) async {
        await app.phone.run(in: id) {
            let content = UNMutableNotificationContent()
            content.body = "Stretch"
            content.categoryIdentifier = category
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: "r1", content: content, trigger: trigger))
        }
    }

    /// <https://github.com/invertase/notifee/issues/1211>
    @Test("provisional permission with other options: none of them is on, and it comes into the list only")
    func provisional() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { $0.options = [.alert, .badge, .sound, .criticalAlert, .provisional] }
        }) { app, callLog in
            try await app.open()
            #expect(app.phone.permissionSheet == nil && callLog.contains("granted: true"))
            let settings = try await settings(of: app)
            #expect(settings.authorizationStatus == .provisional)
            #expect(settings.alertSetting == .disabled && settings.soundSetting == .disabled)
            #expect(settings.badgeSetting == .disabled && settings.lockScreenSetting == .disabled)
            #expect(settings.notificationCenterSetting == .enabled && settings.criticalAlertSetting == .notSupported)
            #expect(settings.announcementSetting == .disabled && settings.showPreviewsSetting == .always)
        }
    }

    /// <https://github.com/OneSignal/OneSignal-iOS-SDK/pull/442>
    ///
    /// Not as reported for provisional permission alone: there, sounds and badges came when the app had asked for them.
    @Test("a person who allows provisional notifications fully gets alerts, sounds and badges")
    func prominently() async throws {
        for options in [[.provisional], [.alert, .sound, .badge, .provisional]] as [UNAuthorizationOptions] {
            try await AppUnderTest.run(asking: { callLog in AskingApp(callLog) { $0.options = options } }) { app, _ in
                try await app.open()
                try app.phone.settings.setNotificationsAllowed(true, for: id)
                try await app.suspend()
                let push = try await app.push(["aps": ["alert": "Hello", "sound": "default", "badge": 2]])
                #expect(push.presentation?.banner == true && push.presentation?.sound == "default" && app.badge == 2)
            }
        }
    }

    /// <https://github.com/ghostty-org/ghostty/pull/12133>
    @Test("an app that is allowed and has not asked for badges has none, until it asks again, which shows no prompt")
    func badgeNotAskedFor() async throws {
        try await AppUnderTest.run(asking: { callLog in AskingApp(callLog) { $0.options = [.alert] } }) { app, _ in
            try await app.openAndAllow()
            #expect(try await settings(of: app).badgeSetting == .notSupported)
            try await app.suspend()
            try await app.push(["aps": ["alert": "Hello", "badge": 2]])
            #expect(app.badge == 0)
            try await app.open()
            try await ask([.alert, .badge], in: app)
            #expect(app.phone.permissionSheet == nil)
            #expect(try await settings(of: app).badgeSetting == .enabled)
            try await app.suspend()
            try await app.push(["aps": ["alert": "Hello", "badge": 3]])
            #expect(app.badge == 3)
        }
    }

    /// <https://github.com/invertase/notifee/issues/325>
    @Test("a later request without an option takes nothing away")
    func laterRequest() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            try await ask([.alert], in: app)
            #expect(try await settings(of: app).soundSetting == .enabled)
        }
    }

    /// <https://github.com/perezjuanj/OpenCircuit/pull/167>
    ///
    /// Not as reported: one developer says that iOS never shows such a question. Apple does not say.
    @Test("an app that asks for full permission in the background: the question comes when the app is opened")
    func askingInBackground() async throws {
        try await AppUnderTest.run(asking: { callLog in
            AskingApp(callLog) { app in
                app.options = [.alert, .provisional]
                app.onPush = { _, handler in
                    UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound]) { granted, _ in
                        DispatchQueue.main.async { callLog.write("full: \(granted)") }
                    }
                    handler(.newData)
                }
            }
        }) { app, callLog in
            try await app.open()
            try await app.suspend()
            try await app.push(["aps": ["content-available": 1]])
            #expect(app.phone.permissionSheet == nil && app.state == .suspended)
            try await app.open()
            #expect(app.phone.permissionSheet != nil && !callLog.lines.contains { $0.hasPrefix("full") })
            try await app.phone.answerPermission(allow: true)
            try await app.phone.settled()
            #expect(callLog.lines.contains("full: true") && app.phone.authorizationStatus(of: id) == .authorized)
        }
    }

    /// <https://github.com/firebase/firebase-ios-sdk/issues/1952>
    @Test(
        "an app that registers only when the person has agreed has no token after a change in Settings, until it is launched"
    )
    func allowedInSettings() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            test.install { AskingApp($0) }
            try await test.phone.openApp(id)
            try await test.phone.settled()
            try await test.phone.answerPermission(allow: false)
            try await test.phone.settled()
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            #expect(test.phone.deviceToken(of: id) == nil)
            await test.phone.pressHome()
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.phone.deviceToken(of: id) == nil)
            try test.phone.system.terminate(id)
            try await test.phone.openApp(id)
            try await test.phone.settled()
            #expect(test.phone.permissionSheet == nil && test.phone.deviceToken(of: id) != nil)
        }
    }

    /// <https://github.com/phonegap/phonegap-plugin-push/issues/50>
    @Test("a tap launches a force-quit app and comes as a response; the fetch handler is not called")
    func tapAfterForceQuit() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.forceQuit()
            let already = callLog.lines.count
            try await app.tap("m1")
            let lines = Array(callLog.lines.dropFirst(already))
            #expect(lines.first == "launched by a push")
            #expect(lines.contains("\(UNNotificationDefaultActionIdentifier) on m1"))
            #expect(!lines.contains { $0.hasPrefix("push while") }, "\(lines)")
        }
    }

    /// <https://github.com/react/react-native/issues/8580>
    @Test("a tap on a local notification launches a killed app without a push in its options, and comes as a response")
    func localTap() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.openAndAllow()
            await remind(UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false), in: app)
            try await app.suspend()
            try await app.forceQuit()
            try await app.advance(by: .seconds(61))
            let already = callLog.lines.count
            try await app.tap("r1")
            let lines = Array(callLog.lines.dropFirst(already))
            #expect(
                lines.first == "launched" && lines.contains("\(UNNotificationDefaultActionIdentifier) on r1"),
                "\(lines)")
        }
    }

    /// <https://github.com/react-native-push-notification/ios/issues/233>
    @Test(
        "a button of a local notification launches a killed app, which learns of the button", arguments: [true, false])
    func localAction(_ isForeground: Bool) async throws {
        let action = UNNotificationAction(
            identifier: "act", title: "Open", options: isForeground ? .foreground : [])
        let category = UNNotificationCategory(identifier: "news", actions: [action], intentIdentifiers: [])
        try await AppUnderTest.run(asking: { callLog in AskingApp(callLog) { $0.categories = [category] } }) {
            app, callLog in
            try await app.openAndAllow()
            await remind(UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false), category: "news", in: app)
            try await app.suspend()
            try await app.forceQuit()
            try await app.advance(by: .seconds(61))
            #expect(app.shown.map(\.identifier) == ["r1"])
            let already = callLog.lines.count
            try await app.choose("act", on: "r1")
            let lines = Array(callLog.lines.dropFirst(already))
            #expect(lines.first == "launched" && lines.contains("act on r1"), "\(lines)")
            #expect(app.state == (isForeground ? .foregroundActive : .suspended))
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/4788>
    @Test("a launch in the background finds the app in the background, and calls none of the four life-cycle methods")
    func backgroundLaunch() async throws {
        try await AppUnderTest.run(asking: { callLog in
            WatchfulApp(callLog) { app in
                app.onLaunch = { callLog.write("launch while \($0.applicationState)") }
            }
        }) { app, callLog in
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            try await app.push(["aps": ["content-available": 1]])
            #expect(callLog.lines == ["launched", "launch while background", "push, readable: true"])
            #expect(app.state == .suspended)
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/19501>
    @Test("a notification of a calendar trigger is removed by its identifier like any other")
    func calendarRemoved() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            await remind(
                UNCalendarNotificationTrigger(dateMatching: DateComponents(second: 30), repeats: true), in: app)
            try await app.suspend()
            try await app.advance(by: .seconds(61))
            #expect(app.notifications.count == 1)
            try await app.open()
            await app.phone.run(in: id) {
                UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: ["r1"])
            }
            try await app.phone.settled()
            #expect(app.notifications.isEmpty && app.phone.pendingRequests(of: id).map(\.identifier) == ["r1"])
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/16514>
    ///
    /// Not as reported of iOS 10.1, where the categories stayed.
    @Test("the categories of a deleted app are gone after a reinstall")
    func categoriesAfterReinstall() async throws {
        try await TestPhone.run { test in
            test.install {
                AskingApp($0) {
                    $0.categories = [UNNotificationCategory(identifier: "news", actions: [], intentIdentifiers: [])]
                }
            }
            try await test.phone.openApp(id)
            try await test.phone.settled()
            try await test.phone.uninstall(id)
            test.install { callLog in WatchfulApp(callLog) { _ in } }
            try await test.phone.openApp(id)
            try await test.phone.settled()
            let center = try await test.phone.value(in: id) { UNUserNotificationCenter.current() }
            #expect(await center.notificationCategories().isEmpty)
        }
    }
}
