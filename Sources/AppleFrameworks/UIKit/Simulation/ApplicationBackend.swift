import Foundation
@_spi(Simulation) import UserNotifications

/// What stands behind a ``UIApplication``: the phone, for one app.
@_spi(Simulation) @MainActor public protocol ApplicationBackend: AnyObject {
    var applicationState: UIApplication.State { get }
    var isRegisteredForRemoteNotifications: Bool { get }
    var badge: Int { get set }
    var isProtectedDataAvailable: Bool { get }
    var backgroundRefreshStatus: UIBackgroundRefreshStatus { get }
    var backgroundTimeRemaining: TimeInterval { get }
    var isVoiceOverRunning: Bool { get }
    var isReduceMotionOn: Bool { get }
    /// What the phone's pasteboard holds.
    var copiedText: String? { get set }

    func registerForRemoteNotifications()
    func unregisterForRemoteNotifications()
    func beginBackgroundTask(
        name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier
    func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier)
    func canOpen(_ url: URL) -> Bool
    func open(_ url: URL, completion: @escaping @MainActor @Sendable (Bool) -> Void)

    /// Something of the view tree has changed: a view, a window, what is presented.
    func viewsChanged()

    /// Something that only a hand or an ear notices, such as a tap of the haptic engine or a VoiceOver announcement.
    func noticed(_ event: DeviceEvent)
}

/// What the phone did beyond its screen.
@_spi(Simulation) public enum DeviceEvent: Sendable, Hashable {
    case haptic(String)
    case announcement(String)
    /// A page was opened in the app's own browser sheet.
    case openedInSafariView(URL)
}

/// A running app, as UIKit sees it.
@_spi(Simulation) public protocol SimulatedAppProcess: SimulatedProcess {
    @MainActor var application: UIApplication { get }
    @MainActor var screen: UIScreen { get }
}
