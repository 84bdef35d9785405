import CarillonApp
import CarillonBanner
import UIKit
import UserNotifications

/// The app delegate: it makes Carillon, keeps it, and forwards iOS's callbacks to it.
@MainActor
open class ParcelAppDelegate: UIResponder, UIApplicationDelegate {
    public private(set) var carillon: Carillon?
    public private(set) var banner: BannerPresenter?
    public let list = ParcelList()
    private var settings = ParcelSettings.production

    /// Makes the delegate for a test.
    public convenience init(settings: ParcelSettings) {
        self.init()
        self.settings = settings
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let settings else { return false }
        // Before launching ends, or the tap that launches the app is lost.
        UNUserNotificationCenter.current().delegate = self
        let carillon = Carillon(
            configuration: Carillon.Configuration(
                service: settings.service, signInToken: settings.signInToken, fetchesInbox: true),
            appGroup: "group.com.example.parcel")
        let banner = BannerPresenter(application: application)
        carillon.onMessage = { [weak carillon, weak banner] message in
            // Whoever does not allow notifications sees a banner inside the app.
            if carillon?.authorizationStatus == .denied { banner?.show(BannerContent(message)) }
        }
        carillon.onResponse = { [list] response in list.open(response.message) }
        carillon.onRemoval = { [weak banner] removed in banner?.withdraw(removed.map(\.identifier)) }
        carillon.onInboxChange = { [list, weak carillon] in list.show(carillon?.inbox ?? []) }
        carillon.start(launchOptions: launchOptions)
        self.carillon = carillon
        self.banner = banner
        Task { await carillon.requestAuthorization() }
        return true
    }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = ParcelSceneDelegate.self
        return configuration
    }

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { carillon?.didFailToRegisterForRemoteNotifications(withError: error) }

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let carillon else { return completionHandler(.noData) }
        carillon.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler)
    }
}

extension ParcelAppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        guard let carillon else { return completionHandler([]) }
        carillon.willPresent(notification, withCompletionHandler: completionHandler)
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard let carillon else { return completionHandler() }
        carillon.didReceive(response, withCompletionHandler: completionHandler)
    }
}
