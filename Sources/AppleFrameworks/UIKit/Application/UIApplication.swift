import Foundation
@_spi(Simulation) import UserNotifications

/// The running app.
/// [UIApplication](https://developer.apple.com/documentation/uikit/uiapplication)
@MainActor @preconcurrency open class UIApplication: UIResponder {
    @_spi(Simulation) public let backend: any ApplicationBackend

    /// The app's delegate. Here the app object keeps the delegate alive; on iOS it does not.
    public var delegate: (any UIApplicationDelegate)?

    /// The app's connected scenes. For an app that does not use scenes, the phone makes one scene.
    @available(iOS 13, *)
    public internal(set) var connectedScenes: Set<UIScene> = []
    @available(iOS 13, *)
    public internal(set) var openSessions: Set<UISceneSession> = []

    /// The person's current activity in the app; the person can continue this activity on another device.
    @_spi(Simulation) public var currentUserActivity: NSUserActivity?

    /// Every existing window of the app, back to front, including hidden ones. Deprecated since iOS 15.
    @available(iOS, introduced: 2, deprecated: 15)
    public var windows: [UIWindow] { allWindows }
    /// The visible windows, from back to front.
    var windowsBackToFront: [UIWindow] = []
    /// All windows in the order in which they were last made or shown.
    var madeWindows: [WeakWindow] = []
    weak var currentKeyWindow: UIWindow?
    var currentTouch: UITouch?
    var lastTouch: UITouch?
    weak var firstResponder: UIResponder?
    var surroundings = Surroundings()
    var orientationListeners = 0

    /// The entries that the app has added to its icon's menu; they outlive the app's process.
    @available(iOS 9, *)
    public var shortcutItems: [UIApplicationShortcutItem]? {
        get { backend.shortcutItems }
        set { backend.shortcutItems = newValue?.map { $0.copy() as? UIApplicationShortcutItem ?? $0 } }
    }
    public var isIdleTimerDisabled = false
    /// The value that `UIView.setAnimationsEnabled(_:)` has set.
    var areAnimationsEnabled = true

    /// The closure that makes the root view controller of the first window; `nil` unless the app uses SwiftUI.
    @_spi(Simulation) public var makeMainController: (@MainActor () -> UIViewController)?

    @_spi(Simulation) public init(backend: any ApplicationBackend) {
        self.backend = backend
        super.init()
    }

    /// The app whose code is running.
    ///
    /// The app is found through the current task. Outside an app's tasks, it is the app whose code is running on the main
    /// queue, or else the only running app in this program. Outside any app, the call stops the program with an explanation,
    /// because Apple's signature has no error and no `nil`. A service extension, in which Xcode does not compile the call, ends.
    public class var shared: UIApplication {
        guard let process = SimulatedDevices.currentProcess else {
            SimulatedDevices.stopOutsideOfAnyPhone("UIApplication.shared")
        }
        if let process = process as? any SimulatedAppProcess { return process.application }
        NSException(
            name: .internalInconsistencyException,
            reason: "'shared' is unavailable in application extensions for iOS"
        ).raise()
        return UIApplication(backend: AbsentApplication())
    }

    public var applicationState: State { backend.applicationState }

    /// The window that last became key. Deprecated since iOS 13.
    @available(iOS, introduced: 2, deprecated: 13)
    public var keyWindow: UIWindow? { currentKeyWindow }

    @available(iOS 13, *)
    public var supportsMultipleScenes: Bool { false }

    /// Requests a device token, for which the app needs no permission. The delegate receives the token or an error.
    @available(iOS 8, *)
    public func registerForRemoteNotifications() {
        onMain("registerForRemoteNotifications") { $0.registerForRemoteNotifications() }
    }

    public func unregisterForRemoteNotifications() {
        onMain("unregisterForRemoteNotifications") { $0.unregisterForRemoteNotifications() }
    }

    @available(iOS 8, *)
    public var isRegisteredForRemoteNotifications: Bool { backend.isRegisteredForRemoteNotifications }

    /// The number on the app's icon. Deprecated since iOS 17 in favour of `setBadgeCount`.
    ///
    /// Setting it has no effect while the person does not allow badges.
    @available(iOS, introduced: 2, deprecated: 17)
    public var applicationIconBadgeNumber: Int {
        get { backend.badge }
        set { onMain("applicationIconBadgeNumber") { $0.badge = newValue } }
    }

    /// Whether files with complete protection can be read.
    ///
    /// On an iPhone with a passcode, the value is `false` from 10 seconds after locking until the phone is unlocked.
    ///
    /// Differs from iOS: although the value is `false`, files stay readable on a locked phone. They are unreadable only from a
    /// restart to the first unlock.
    public var isProtectedDataAvailable: Bool { backend.isProtectedDataAvailable }

    public var backgroundRefreshStatus: UIBackgroundRefreshStatus { backend.backgroundRefreshStatus }

    /// Calls `body` immediately if the caller is on the main queue; otherwise calls it later on that queue.
    ///
    /// The phone records a call off the main thread as a mistake; only Swift 5 code can make such a call.
    private func onMain(_ name: String, _ body: @escaping @MainActor @Sendable (any ApplicationBackend) -> Void) {
        if !SimulatedDevices.isOnMainThread {
            (backend as? any SimulatedProcess)?.hasMade(mistake: "uiOffMain", "UIApplication.\(name)")
        }
        guard !SimulatedDevices.isOnMainQueue else { return body(backend) }
        DispatchQueue.main.async { body(self.backend) }
    }
}
