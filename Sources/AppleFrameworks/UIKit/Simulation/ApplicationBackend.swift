import Foundation
@_spi(Simulation) import UserNotifications

/// The phone behind one app's ``UIApplication``.
@_spi(Simulation) @MainActor public protocol ApplicationBackend: AnyObject {
    var applicationState: UIApplication.State { get }
    var isRegisteredForRemoteNotifications: Bool { get }
    var badge: Int { get set }
    var isProtectedDataAvailable: Bool { get }
    var backgroundRefreshStatus: UIBackgroundRefreshStatus { get }
    var backgroundTimeRemaining: TimeInterval { get }
    var isVoiceOverRunning: Bool { get }
    var isReduceMotionOn: Bool { get }
    /// The text on the phone's pasteboard.
    var copiedText: String? { get set }

    func registerForRemoteNotifications()
    func unregisterForRemoteNotifications()
    func beginBackgroundTask(
        name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier
    func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier)
    func canOpen(_ url: URL) -> Bool
    func open(_ url: URL, universalLinksOnly: Bool, completion: @escaping @MainActor @Sendable (Bool) -> Void)

    /// The phone's clock.
    var now: Date { get }
    var notificationSettings: UNNotificationSettings.Values { get }
    /// Writes down what an app did in vain.
    func note(_ event: String, _ sentence: String)
    /// Schedules what was a notification of UIKit's, `original`; `trigger` is `nil` for at once.
    func schedule(_ content: UNNotificationContent, _ trigger: UNNotificationTrigger?, original: AnyObject)
    /// The scheduled notifications that have not fired, soonest first.
    var scheduledOriginals: [AnyObject] { get }
    func cancelScheduled(where matches: (AnyObject) -> Bool)
    var shortcutItems: [UIApplicationShortcutItem]? { get set }
    func setMinimumFetchInterval(_ seconds: TimeInterval)

    /// Calls `body` as the app, in a turn of its own, once the app's code that runs now is through.
    func inTurn(_ body: @escaping @MainActor @Sendable () -> Void)

    /// Something of the view tree has changed: a view, a window, what is presented.
    func viewsChanged()

    /// Something that only a hand or an ear notices, such as a tap of the haptic engine or a VoiceOver announcement.
    func noticed(_ event: SimulatedDeviceEvent)
}

/// An effect of the phone beyond its screen.
@_spi(Simulation) public enum SimulatedDeviceEvent: Sendable, Hashable {
    case haptic(String)
    case announcement(String)
    /// A page was opened in the app's own browser sheet.
    case openedInSafariView(URL)
}

/// A running app, as UIKit sees it.
@_spi(Simulation) public protocol SimulatedAppProcess: SimulatedProcess {
    @MainActor var application: UIApplication { get }
    @MainActor var screen: UIScreen { get }

    /// Makes a view controller from a storyboard of the app; returns `nil` if it has no such controller.
    ///
    /// - Parameter identifier: `nil` for the storyboard's first.
    @MainActor func makeViewController(storyboard: String, identifier: String?) -> UIViewController?

    /// The person has begun something that other devices may go on with.
    func offer(_ activity: NSUserActivity)
    /// The person does it no more.
    func withdraw(_ activity: NSUserActivity)
}
