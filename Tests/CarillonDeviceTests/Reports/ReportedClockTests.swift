import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Reminders, badges and launches that developers reported, each with the address of the report.
@MainActor @Suite("Reported: reminders, badges and launches") struct ReportedClockTests {
    private let id = TestPhone.bundleID

    /// Runs a test with an app that is allowed and suspended, on a phone in London.
    private func run(
        start: String, _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        let london = try #require(TimeZone(identifier: "Europe/London"))
        let bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { AskingApp(CallLog()) })
        let moment = try #require(Timestamp(rfc3339: start))
        try await AppUnderTest.run(bundle, start: moment, configuration: { $0.timeZone = london }) { app in
            try await app.openAndAllow()
            try await body(app)
        }
    }

    private func remind(daily components: DateComponents, in app: AppUnderTest) async throws {
        await app.phone.run(in: id) {
            let content = UNMutableNotificationContent()
            content.body = "Stretch"
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(
                    identifier: "daily", content: content,
                    trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: true)))
        }
        await app.phone.pressHome()
        try await app.advance(by: .seconds(5))
    }

    /// The times at which the reminder has come, in UTC, as `03-28T08:00`.
    private func times(_ app: AppUnderTest) -> [String] {
        app.phone.traces.filter { $0.origin == .local }.map { String("\($0.arrivedAt)".dropFirst(5).prefix(11)) }
    }

    /// <https://github.com/invertase/notifee/issues/875>, <https://github.com/MaikuB/flutter_local_notifications/issues/118>
    @Test("nine o'clock stays nine o'clock when summer time begins and ends")
    func daylightSaving() async throws {
        try await run(start: "2027-03-26T12:00:00Z") { app in
            try await remind(daily: DateComponents(hour: 9), in: app)
            try await app.advance(by: .seconds(3 * 86_400))
            #expect(times(app) == ["03-27T09:00", "03-28T08:00", "03-29T08:00"])
        }
        try await run(start: "2027-10-29T12:00:00Z") { app in
            try await remind(daily: DateComponents(hour: 9), in: app)
            try await app.advance(by: .seconds(3 * 86_400))
            #expect(times(app) == ["10-30T08:00", "10-31T09:00", "11-01T09:00"])
        }
    }

    /// <https://github.com/duckduckgo/apple-browsers/pull/5212>
    @Test("in another time zone a moment in an hour stays that moment, and the same hour of the calendar does not")
    func anotherZone() async throws {
        try await run(start: "2027-01-15T12:00:00Z") { app in
            await app.phone.run(in: id) {
                for (identifier, trigger) in [
                    ("calendar", UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 15), repeats: false)),
                    ("interval", UNTimeIntervalNotificationTrigger(timeInterval: 3 * 3600, repeats: false)),
                ] as [(String, UNNotificationTrigger)] {
                    let content = UNMutableNotificationContent()
                    content.body = identifier
                    UNUserNotificationCenter.current().add(
                        UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
                }
            }
            await app.phone.pressHome()
            try await app.phone.settled()
            app.phone.settings.setTimeZone(try #require(TimeZone(identifier: "America/New_York")))
            try await app.advance(by: .seconds(9 * 3600))
            #expect(app.phone.traces.filter { $0.origin == .local }.map(\.notificationID) == ["interval", "calendar"])
            #expect(times(app).map { $0.prefix(8) } == ["01-15T15", "01-15T20"])
        }
    }

    @Test("a reminder in the hour that summer time skips comes once that day, and once in the hour that comes twice")
    func skippedHour() async throws {
        try await run(start: "2027-03-26T12:00:00Z") { app in
            try await remind(daily: DateComponents(hour: 1, minute: 30), in: app)
            try await app.advance(by: .seconds(3 * 86_400))
            #expect(times(app).map { $0.prefix(5) } == ["03-27", "03-28", "03-29"])
        }
        try await run(start: "2027-10-29T12:00:00Z") { app in
            try await remind(daily: DateComponents(hour: 1, minute: 30), in: app)
            try await app.advance(by: .seconds(3 * 86_400))
            #expect(times(app) == ["10-30T00:30", "10-31T00:30", "11-01T01:30"])
        }
    }

    /// <https://github.com/rafaelsetragni/awesome_notifications/issues/246>
    @Test("a repeating reminder that came in the background is still pending")
    func staysPending() async throws {
        try await run(start: "2027-01-01T12:00:00Z") { app in
            try await remind(daily: DateComponents(hour: 18), in: app)
            try await app.advance(by: .seconds(86_400))
            #expect(app.notifications.count == 1)
            #expect(app.phone.pendingRequests(of: id).map(\.identifier) == ["daily"])
        }
    }

    /// <https://github.com/MaikuB/flutter_local_notifications/issues/1696>
    @Test("what fell due while the phone was off comes when it is switched on")
    func switchedOff() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                for minutes in 1...3 {
                    let content = UNMutableNotificationContent()
                    content.body = "After \(minutes)"
                    UNUserNotificationCenter.current().add(
                        UNNotificationRequest(
                            identifier: "r\(minutes)", content: content,
                            trigger: UNTimeIntervalNotificationTrigger(
                                timeInterval: TimeInterval(minutes * 60), repeats: false)))
                }
            }
            try await app.phone.settled()
            await app.phone.powerOff()
            try await app.advance(by: .seconds(3600))
            #expect(app.notifications.isEmpty)
            await app.phone.boot()
            try await app.phone.settled()
            #expect(Set(app.notifications.map(\.request.identifier)) == ["r1", "r2", "r3"])
        }
    }

    /// <https://github.com/cengiz-pz/godot-ios-notification-scheduler-plugin/issues/1>
    @Test("with badges switched off the icon has no number")
    func badgesOff() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "badge": 15]])
            try app.phone.settings.set(.badges, to: false, for: id)
            #expect(app.badge == 0)
            try app.phone.settings.set(.badges, to: true, for: id)
            #expect(app.badge == 15)
            try app.phone.settings.setNotificationsAllowed(false, for: id)
            #expect(app.badge == 0)
        }
    }

    /// <https://github.com/kickstarter/ios-oss/pull/490>, <https://github.com/ricardoalcocer/acspushmod/issues/18>
    @Test("an app without permission sets no badge")
    func badgeWithoutPermission() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndDeny()
            await app.phone.run(in: id) { UIApplication.shared.applicationIconBadgeNumber = 3 }
            try await app.phone.settled()
            #expect(app.badge == 0)
        }
    }

    /// <https://github.com/afrihost/react-native-firebase-push-notifications/issues/22>, <https://github.com/invertase/notifee/issues/432>
    @Test("a reinstalled app must ask and register again")
    func reinstalled() async throws {
        let link = TokenLink()
        try await TestPhone.run(link: link) { test in
            try await test.openAllowed()
            let token = try #require(test.phone.deviceToken(of: id))
            try await test.phone.uninstall(id)
            test.install { AskingApp($0) }
            #expect(test.phone.authorizationStatus(of: id) == .notDetermined && test.phone.deviceToken(of: id) == nil)
            #expect(try await test.push(["aps": ["alert": "Hello"]]).presentation?.isShown != true)
            try await test.openAllowed()
            #expect(test.phone.deviceToken(of: id) != nil && test.phone.deviceToken(of: id) != token)
            #expect(test.phone.pendingRequests(of: id).isEmpty)
        }
    }

    /// <https://github.com/segmentio/analytics-ios/issues/745>, <https://github.com/firebase/firebase-ios-sdk/issues/12347>
    @Test("a silent push launches in the background, and nothing becomes active")
    func silentLaunch() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.suspendAllowed()
            try app.phone.system.terminate(id)
            let already = callLog.lines.count
            try await app.push(["aps": ["content-available": 1]])
            let lines = Array(callLog.lines.dropFirst(already))
            #expect(lines.first == "launched by a push" && lines.contains("push while background"))
            #expect(!lines.contains("active") && !lines.contains("foreground"))
        }
    }

    /// <https://github.com/infinitered/ProMotion-push/pull/10>
    @Test("a push finds the app active in front, inactive after a tap, in the background otherwise")
    func states() async throws {
        try await AppUnderTest.run { app, callLog in
            try await app.openAndAllow()
            try await app.push(["aps": ["content-available": 1]])
            #expect(callLog.lines.last == "push while active")
            try await app.suspend()
            try await app.push(["aps": ["content-available": 1]])
            #expect(callLog.lines.last == "push while background")
        }
    }

    /// <https://github.com/CleverTap/clevertap-cordova/pull/325>
    @Test("with scenes the launch notification has no push, which is in the connection options")
    func scenes() async throws {
        let seen = CallLog()
        let bundle = AppBundle(
            bundleID: id, name: "Chime", usesScenes: true, makeSceneDelegate: { SeeingScene(seen) },
            makeDelegate: { SeeingApp(seen) })
        try await AppUnderTest.run(bundle) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.tap("m1")
            #expect(seen.lines == ["launch notification: nothing", "scene: m1"])
        }
    }
}

private final class SeeingApp: UIResponder, UIApplicationDelegate {
    init(_ seen: CallLog) {
        super.init()
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil
        ) { note in
            let has = note.userInfo?.isEmpty == false
            MainActor.assumeIsolated { seen.write("launch notification: \(has ? "something" : "nothing")") }
        }
    }

    override convenience init() { self.init(CallLog()) }
}

private final class SeeingScene: UIResponder, UIWindowSceneDelegate {
    private let seen: CallLog

    init(_ seen: CallLog) {
        self.seen = seen
        super.init()
    }

    override convenience init() { self.init(CallLog()) }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) { seen.write("scene: \(connectionOptions.notificationResponse?.notification.request.identifier ?? "nothing")") }
}
