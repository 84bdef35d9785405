import Foundation
@_spi(Simulation) import UserNotifications

/// An instance of the app's user interface.
/// [UIScene](https://developer.apple.com/documentation/uikit/uiscene)
@available(iOS 13, *)
@MainActor @preconcurrency open class UIScene: UIResponder {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive = 1
        case background = 2
    }

    /// The reasons why a scene is connected.
    @MainActor @preconcurrency public class ConnectionOptions: NSObject {
        /// The person's response to the notification that opened the app.
        public let notificationResponse: UNNotificationResponse?
        public let shortcutItem: UIApplicationShortcutItem?
        public let sourceApplication: String?
        /// The links that were followed to open the app.
        public let urlContexts: Set<UIOpenURLContext>
        /// The type of an activity from another device; the activity itself arrives later, in `scene(_:continue:)`.
        public let handoffUserActivityType: String?
        /// The universal links that opened the scene, and the activity to restore.
        public let userActivities: Set<NSUserActivity>

        @_spi(Simulation) public init(
            notificationResponse: UNNotificationResponse? = nil, shortcutItem: UIApplicationShortcutItem? = nil,
            sourceApplication: String? = nil, urlContexts: Set<UIOpenURLContext> = [],
            handoffUserActivityType: String? = nil, userActivities: Set<NSUserActivity> = []
        ) {
            self.handoffUserActivityType = handoffUserActivityType
            self.userActivities = userActivities
            self.notificationResponse = notificationResponse
            self.shortcutItem = shortcutItem
            self.sourceApplication = sourceApplication
            self.urlContexts = urlContexts
        }
    }

    public let session: UISceneSession
    public var delegate: (any UISceneDelegate)?
    @_spi(Simulation) public var currentState = ActivationState.unattached
    public var activationState: ActivationState { currentState }
    open var title: String! = ""
    /// The subtitle. Stored without effect, because a phone with one scene for each app does not show it.
    @available(iOS 15, *)
    open var subtitle = ""
    open var activationConditions = UISceneActivationConditions()

    public required init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
        session.scene = self
    }
}

/// A scene with windows.
@available(iOS 13, *)
@MainActor @preconcurrency public class UIWindowScene: UIScene {
    private weak var application: UIApplication?
    public let screen: UIScreen

    @_spi(Simulation) public init(
        session: UISceneSession, options: ConnectionOptions, application: UIApplication, screen: UIScreen
    ) {
        self.application = application
        self.screen = screen
        super.init(session: session, connectionOptions: options)
    }

    public required init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        screen = UIScreen.main
        application = UIApplication.shared
        super.init(session: session, connectionOptions: connectionOptions)
    }

    public var windows: [UIWindow] {
        application?.allWindows.filter { $0.windowScene === self } ?? []
    }
    @available(iOS 15, *)
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
    /// The screen's coordinate space, because the scene fills the screen.
    public var coordinateSpace: any UICoordinateSpace { screen }
    public var statusBarManager: UIStatusBarManager? { application.map { UIStatusBarManager($0, screen) } }
}

extension UIApplication {
    /// Connects the app's one scene, on behalf of the phone.
    @_spi(Simulation) public func connect(_ scene: UIScene) {
        connectedScenes.insert(scene)
        openSessions.insert(scene.session)
        for window in allWindows where window.windowScene == nil {
            window.windowScene = scene as? UIWindowScene
        }
    }

    /// Restores the session of an earlier launch, so that the session's scene may be connected again.
    @_spi(Simulation) public func restore(_ session: UISceneSession) { openSessions.insert(session) }

    /// Disconnects a scene, on behalf of the phone; the session stays, so that its scene may be connected again.
    @_spi(Simulation) public func disconnect(_ scene: UIScene) {
        for window in windowsBackToFront where window.windowScene === scene { window.isHidden = true }
        connectedScenes.remove(scene)
        scene.session.scene = nil
    }
}

extension UIScene {
    public nonisolated static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    public nonisolated static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    public nonisolated static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    public nonisolated static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")
}

extension UNNotificationResponse {
    /// The scene that should react to the person's response.
    @MainActor public var targetScene: UIScene? { simulatedScene as? UIScene }
}
