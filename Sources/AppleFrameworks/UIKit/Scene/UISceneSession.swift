import Foundation

/// A scene's record, which is kept when the scene and the app's process have ended.
/// [UISceneSession](https://developer.apple.com/documentation/uikit/uiscenesession)
@available(iOS 13, *)
@MainActor @preconcurrency public class UISceneSession: NSObject {
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
        /// The role of a scene on an external display. Deprecated since iOS 16.
        @available(iOS, introduced: 13, deprecated: 16)
        public static let windowExternalDisplay = Self(rawValue: "UIWindowSceneSessionRoleExternalDisplay")
        @available(iOS 16, *)
        public static let windowExternalDisplayNonInteractive = Self(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    public let role: Role
    public let persistentIdentifier: String
    public internal(set) weak var scene: UIScene?
    @_spi(Simulation) public var currentConfiguration: UISceneConfiguration
    public var configuration: UISceneConfiguration { currentConfiguration }
    public var userInfo: [String: Any]?
    /// The activity that the scene supplied when it went to the background.
    ///
    /// The session of a later launch has this activity too.
    public var stateRestorationActivity: NSUserActivity?

    @_spi(Simulation) public init(role: Role, persistentIdentifier: String) {
        self.role = role
        self.persistentIdentifier = persistentIdentifier
        currentConfiguration = UISceneConfiguration(name: nil, sessionRole: role)
    }

    /// Makes the session of a later launch from the session of an earlier launch.
    @_spi(Simulation) public init(restoring earlier: UISceneSession) {
        role = earlier.role
        persistentIdentifier = earlier.persistentIdentifier
        currentConfiguration = earlier.currentConfiguration
        userInfo = earlier.userInfo
        stateRestorationActivity = earlier.stateRestorationActivity?.duplicate()
    }
}

/// The configuration from which a scene is made.
/// [UISceneConfiguration](https://developer.apple.com/documentation/uikit/uisceneconfiguration)
@available(iOS 13, *)
@MainActor @preconcurrency public class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role
    public var sceneClass: AnyClass?
    /// The class of the scene's delegate: a `UIResponder` that is a ``UISceneDelegate``.
    public var delegateClass: AnyClass?

    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
    }
}
