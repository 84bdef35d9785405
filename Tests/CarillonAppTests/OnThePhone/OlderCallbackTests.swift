import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UIKit
import UserNotifications

/// An app that has only the callback without a completion handler.
private final class OlderHostApp: UIResponder, UIApplicationDelegate, AppWithCarillon,
    @preconcurrency UNUserNotificationCenterDelegate
{
    private(set) var carillon: Carillon?
    private(set) var received: [String] = []
    private var plan: HostApp.Plan?

    convenience init(plan: HostApp.Plan) {
        self.init()
        self.plan = plan
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let plan else { return false }
        UNUserNotificationCenter.current().delegate = self
        let carillon = plan.makeCarillon(for: application)
        carillon.onMessage = { [weak self] in self?.received.append($0.identifier) }
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
        carillon?.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: { _ in })
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { carillon?.willPresent(notification, withCompletionHandler: completionHandler) }
}

@MainActor @Suite("An app with only the older callback") struct OlderCallbackTests {
    @Test("in front its messages are shown and removed; in the background nothing wakes it")
    func older() async throws {
        try await AppFixture.run { fixture in
            try await fixture.open { OlderHostApp(plan: $0) }
            try await fixture.silent("m1")
            try await fixture.silent("m2")
            try await fixture.settle()
            #expect(fixture.onScreen == ["m1", "m2"] && app(fixture)?.received == ["m1", "m2"])
            try await fixture.removal("m1")
            try await fixture.settle()
            #expect(fixture.onScreen == ["m2"])
            try await fixture.goHome()
            try await fixture.silent("m3")
            #expect(app(fixture)?.received == ["m1", "m2"])
        }
    }

    private func app(_ fixture: AppFixture) -> OlderHostApp? {
        fixture.phone.delegate(of: AppFixture.bundleID) as? OlderHostApp
    }
}
