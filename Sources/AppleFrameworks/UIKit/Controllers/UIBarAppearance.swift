import Foundation

/// The style of a bar.
/// [UIBarStyle](https://developer.apple.com/documentation/uikit/uibarstyle)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIBarStyle: Int, Sendable {
    case `default` = 0
    case black = 1
}

/// The kind of bar for which an image is set: of normal or compact height, with or without a prompt.
/// [UIBarMetrics](https://developer.apple.com/documentation/uikit/uibarmetrics)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIBarMetrics: Int, Sendable {
    case `default` = 0
    case compact = 1
    case defaultPrompt = 101
    case compactPrompt = 102
}

/// The appearance of a bar.
/// [UIBarAppearance](https://developer.apple.com/documentation/uikit/uibarappearance)
///
/// Differs from iOS: settings are stored without effect.
@available(iOS 13, *)
@MainActor @preconcurrency open class UIBarAppearance: NSObject {
    open var backgroundColor: UIColor?
    open var backgroundImage: UIImage?
    open var backgroundEffect: UIBlurEffect?
    open var shadowColor: UIColor?
    open var shadowImage: UIImage?

    public override init() { super.init() }

    open func configureWithDefaultBackground() { (backgroundColor, backgroundImage) = (nil, nil) }
    open func configureWithOpaqueBackground() { (backgroundColor, backgroundEffect) = (.systemBackground, nil) }
    open func configureWithTransparentBackground() {
        (backgroundColor, backgroundEffect, shadowColor) = (.clear, nil, nil)
    }
}

/// The appearance of a navigation bar.
/// [UINavigationBarAppearance](https://developer.apple.com/documentation/uikit/uinavigationbarappearance)
@available(iOS 13, *)
@MainActor @preconcurrency open class UINavigationBarAppearance: UIBarAppearance {
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
    open var buttonAppearance = UIBarButtonItemAppearance()
    open var doneButtonAppearance = UIBarButtonItemAppearance()
    open var backButtonAppearance = UIBarButtonItemAppearance()
}

/// The appearance of a tab bar.
/// [UITabBarAppearance](https://developer.apple.com/documentation/uikit/uitabbarappearance)
@available(iOS 13, *)
@MainActor @preconcurrency open class UITabBarAppearance: UIBarAppearance {
    open var selectionIndicatorTintColor: UIColor?
    open var stackedLayoutAppearance = UITabBarItemAppearance()
    open var inlineLayoutAppearance = UITabBarItemAppearance()
    open var compactInlineLayoutAppearance = UITabBarItemAppearance()
}

/// The appearance of a bar button item in all its states.
/// [UIBarButtonItemAppearance](https://developer.apple.com/documentation/uikit/uibarbuttonitemappearance)
@available(iOS 13, *)
@MainActor @preconcurrency open class UIBarButtonItemAppearance: NSObject {
    public let normal = UIBarButtonItemStateAppearance()
    public let highlighted = UIBarButtonItemStateAppearance()
    public let disabled = UIBarButtonItemStateAppearance()
    public let focused = UIBarButtonItemStateAppearance()

    public override init() { super.init() }
}

/// The appearance of a tab in all its states.
/// [UITabBarItemAppearance](https://developer.apple.com/documentation/uikit/uitabbaritemappearance)
@available(iOS 13, *)
@MainActor @preconcurrency open class UITabBarItemAppearance: NSObject {
    public let normal = UITabBarItemStateAppearance()
    public let selected = UITabBarItemStateAppearance()
    public let disabled = UITabBarItemStateAppearance()
    public let focused = UITabBarItemStateAppearance()

    public override init() { super.init() }
}

/// The appearance of a bar button item in one state.
/// [UIBarButtonItemStateAppearance](https://developer.apple.com/documentation/uikit/uibarbuttonitemstateappearance)
@available(iOS 13, *)
@MainActor @preconcurrency open class UIBarButtonItemStateAppearance: NSObject {
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    open var backgroundImage: UIImage?
}

/// The appearance of a tab in one state.
/// [UITabBarItemStateAppearance](https://developer.apple.com/documentation/uikit/uitabbaritemstateappearance)
@available(iOS 13, *)
@MainActor @preconcurrency open class UITabBarItemStateAppearance: NSObject {
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    open var iconColor: UIColor?
    open var badgeBackgroundColor: UIColor?
    open var badgeTextAttributes: [NSAttributedString.Key: Any] = [:]
}
