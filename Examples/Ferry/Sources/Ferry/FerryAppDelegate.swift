import UIKit
import UserNotifications

/// Ferry tells its passengers when a departure is late. Nothing in this file knows of a simulator.
public final class FerryAppDelegate: UIResponder, UIApplicationDelegate {
    public let timetable = Timetable()
    public private(set) var deviceToken: String?
    let screen = DepartureController()

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // Before launching ends, or the tap that launches the app is lost.
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().setNotificationCategories([.departure])
        Task { await askForNotifications(application) }
        return true
    }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = FerrySceneDelegate.self
        return configuration
    }

    private func askForNotifications(_ application: UIApplication) async {
        let center = UNUserNotificationCenter.current()
        let isGranted = (try? await center.requestAuthorization(options: [.alert, .badge, .sound])) ?? false
        if isGranted { application.registerForRemoteNotifications() }
    }

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        self.deviceToken = deviceToken.map { String(format: "%02x", $0) }.joined()
    }

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        screen.show("No alerts: \(error.localizedDescription)")
    }

    /// A silent push: the timetable has changed.
    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        guard let change = TimetableChange(userInfo) else { return .noData }
        timetable.apply(change)
        if change.isCancelled { await withdraw(change.ferry) }
        return .newData
    }

    /// Removes a notification, and waits until it is no longer in the list.
    ///
    /// iOS removes it later, and may suspend the app as soon as the push is answered.
    private func withdraw(_ ferry: String) async {
        let center = UNUserNotificationCenter.current()
        center.removeDeliveredNotifications(withIdentifiers: [ferry])
        await withCheckedContinuation { done in center.getDeliveredNotifications { _ in done.resume() } }
    }
}

// With completion handlers: the async forms would send `UNNotification` and `UNNotificationResponse`, which Apple has not
// declared Sendable, to the main actor.
extension FerryAppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    /// A departure that is already on screen needs no banner.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler(notification.request.identifier == screen.ferry ? [] : [.banner, .list, .sound])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let ferry = response.notification.request.identifier
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: screen.show(departureOf: ferry, in: timetable)
        case DepartureAction.takeNext: timetable.rebook(ferry)
        case DepartureAction.ask:
            timetable.ask((response as? UNTextInputNotificationResponse)?.userText ?? "", about: ferry)
        default: break
        }
        completionHandler()
    }
}
