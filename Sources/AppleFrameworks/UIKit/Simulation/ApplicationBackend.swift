import Foundation
@_spi(Simulation) import UserNotifications

/// The methods of the phone that one app's ``UIApplication`` calls.
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

    /// The time by the phone's clock.
    var now: Date { get }
    var notificationSettings: UNNotificationSettings.Values { get }
    /// Records a call of the app that has no effect.
    ///
    /// - Parameters:
    ///   - event: the name of the called method.
    ///   - sentence: the explanation for the app's developer.
    func note(_ event: String, _ sentence: String)
    /// Schedules `original`, a `UILocalNotification` that was converted to `content` and `trigger`.
    ///
    /// A `nil` trigger means immediately.
    func schedule(_ content: UNNotificationContent, _ trigger: UNNotificationTrigger?, original: AnyObject)
    /// The scheduled `UILocalNotification`s that have not fired, soonest first.
    var scheduledOriginals: [AnyObject] { get }
    func cancelScheduled(where matches: (AnyObject) -> Bool)
    var shortcutItems: [UIApplicationShortcutItem]? { get set }
    func setMinimumFetchInterval(_ seconds: TimeInterval)

    /// Calls `body` on the main queue, once the app's currently running code has returned.
    ///
    /// In `body`, `UIApplication.shared` is this app's.
    func inTurn(_ body: @escaping @MainActor @Sendable () -> Void)

    /// Tells the phone that a view, a window or the presented controller has changed.
    func viewsChanged()

    /// Records an event that the phone does not carry out, such as a haptic or a VoiceOver announcement.
    func noticed(_ event: SimulatedDeviceEvent)
}

/// An event that the phone only records: a haptic, a VoiceOver announcement, or a page in a browser sheet.
@_spi(Simulation) public enum SimulatedDeviceEvent: Sendable, Hashable {
    case haptic(String)
    case announcement(String)
    /// A page was opened in the app's own browser sheet.
    case openedInSafariView(URL)
}

/// The process of a running app or extension, with the phone's screen.
@_spi(Simulation) public protocol SimulatedScreenUser: SimulatedProcess {
    @MainActor var screen: UIScreen { get }
}

/// The process of a running app, with its `UIApplication`.
@_spi(Simulation) public protocol SimulatedAppProcess: SimulatedScreenUser {
    @MainActor var application: UIApplication { get }

    /// Makes a view controller from a storyboard of the app; returns `nil` if the storyboard has no such controller.
    ///
    /// - Parameter identifier: `nil` for the storyboard's initial controller.
    @MainActor func makeViewController(storyboard: String, identifier: String?) -> UIViewController?

    /// Offers the person's current activity to other devices.
    func offer(_ activity: NSUserActivity)
    /// Withdraws an activity that is no longer current.
    func withdraw(_ activity: NSUserActivity)
}
