import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

/// An app that asks Carillon how to show a notification, and then shows less.
private final class NarrowApp: UIResponder, UIApplicationDelegate, AppWithCarillon,
    @preconcurrency UNUserNotificationCenterDelegate
{
    private(set) var carillon: Carillon?
    private var plan: HostApp.Plan?
    private var options: UNNotificationPresentationOptions = []

    convenience init(plan: HostApp.Plan, showing options: UNNotificationPresentationOptions) {
        self.init()
        self.plan = plan
        self.options = options
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let plan else { return false }
        UNUserNotificationCenter.current().delegate = self
        let carillon = plan.makeCarillon(for: application)
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        carillon?.willPresent(notification) { [options] in completionHandler($0.intersection(options)) }
    }
}

@MainActor
@Suite("In the foreground, shown is said of what is in the list")
struct ShownTests {
    private func alert(_ fixture: AppFixture) async throws {
        try await fixture.push(
            ["aps": ["alert": "A"], "carillon": ["v": 1, "id": "m1"]], type: .alert, collapseID: "m1")
        try await fixture.settle()
    }

    @Test(
        "not where the app itself has narrowed the answer",
        arguments: [([], false), ([.sound], false), ([.list], true), ([.banner, .list, .sound], true)]
            as [(UNNotificationPresentationOptions, Bool)])
    func narrowed(options: UNNotificationPresentationOptions, isShown: Bool) async throws {
        try await AppFixture.run { fixture in
            try await fixture.open { NarrowApp(plan: $0, showing: options) }
            try await alert(fixture)
            #expect(fixture.service.receipts.contains("shown m1") == isShown)
        }
    }

    @Test("not where the person has switched off alerts in Settings", arguments: [true, false])
    func alertsOff(isOn: Bool) async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            for item in [NotificationSwitch.banners, .lockScreen, .notificationCenter] {
                try fixture.set(item, to: isOn)
            }
            try await alert(fixture)
            #expect(fixture.service.receipts.contains("shown m1") == isOn)
        }
    }
}
