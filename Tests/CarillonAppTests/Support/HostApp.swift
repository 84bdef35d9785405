import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// An ordinary app that forwards iOS's callbacks to Carillon and logs Carillon's own.
final class HostApp: UIResponder, UIApplicationDelegate, AppWithCarillon,
    @preconcurrency UNUserNotificationCenterDelegate
{
    struct Plan {
        var configuration: Carillon.Configuration
        var transport: any ServiceTransport
        var callbackLog: CallbackLog
        var isReadyAtLaunch = true
        var asksPermission = true
        var appGroup: String?
        var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        /// Shows messages that come in the foreground as in-app banners.
        var usesBanner = false
        /// Makes the SDK's object twice, as an app does by mistake.
        var makesSecondCarillon = false
        /// Lets the service start, update and end the matches of ``ActivityRun``.
        var registersMatches = false
        /// Stands between the SDK and its files.
        var storeFiles: (@MainActor (AppPlatform) -> any StoreFiles)?
        var onRefresh: (@MainActor () async -> UIBackgroundFetchResult)?
        /// Lets the service reload the app's widgets and controls.
        var registersWidgets = false

        /// Makes Carillon for an app at its launch.
        @MainActor func makeCarillon(for application: UIApplication) -> Carillon {
            var platform = AppPlatform.current(appGroup: appGroup)
            if let files = storeFiles?(platform) { platform.storeFiles = files }
            return Carillon(
                configuration: configuration, platform: platform, transport: transport, center: .current(),
                application: application, randomness: randomness)
        }
    }

    /// The callbacks of Carillon, one line each, in order.
    @MainActor final class CallbackLog {
        private(set) var lines: [String] = []
        var onWrite: ((String) -> Void)?
        /// Whether the app's delegate does not forward taps, as in an app that has forgotten to.
        var ignoresTaps = false

        func write(_ line: String) {
            lines.append(line)
            onWrite?(line)
        }
    }

    var window: UIWindow?
    private(set) var carillon: Carillon?
    private(set) var application: UIApplication?
    private(set) var banner: BannerPresenter?
    private(set) var center: UNUserNotificationCenter?
    private var plan: Plan?
    private var secondCarillon: Carillon?

    convenience init(plan: Plan) {
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
        self.carillon = carillon
        if plan.makesSecondCarillon { secondCarillon = plan.makeCarillon(for: application) }
        self.application = application
        center = UNUserNotificationCenter.current()
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
        let callbackLog = plan.callbackLog
        let banner = BannerPresenter(
            application: application, clock: AppPlatform.current(appGroup: nil).clock, surroundings: .system)
        self.banner = banner
        carillon.onRemoval = { removed in
            banner.withdraw(removed.map(\.identifier))
            for message in removed { callbackLog.write("removed \(message.identifier): \(message.reason)") }
        }
        carillon.onMessage = { message in
            callbackLog.write("message \(message.identifier): \(message.body ?? message.title ?? "")")
            if plan.usesBanner { banner.show(BannerContent(message)) }
        }
        banner.onFollow = { callbackLog.write("banner \($0.id) followed") }
        carillon.onResponse = { callbackLog.write("response \($0.message.identifier): \($0.action)") }
        carillon.onAuthorizationChange = { callbackLog.write("permission \(PermissionState($0).rawValue)") }
        if let onRefresh = plan.onRefresh { carillon.onRefresh = { _ in await onRefresh() } }
        if plan.registersMatches { carillon.liveActivities.register(MatchOfRun.self) { $0.match } }
        if plan.registersWidgets { carillon.widgets.register() }
        carillon.start(launchOptions: launchOptions)
        if plan.isReadyAtLaunch { carillon.appIsReady() }
        if plan.asksPermission { Task { await carillon.requestAuthorization() } }
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) { carillon?.didFailToRegisterForRemoteNotifications(withError: error) }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { carillon?.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) { carillon?.willPresent(notification, withCompletionHandler: completionHandler) }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard plan?.callbackLog.ignoresTaps != true else { return completionHandler() }
        carillon?.didReceive(response, withCompletionHandler: completionHandler)
    }
}
