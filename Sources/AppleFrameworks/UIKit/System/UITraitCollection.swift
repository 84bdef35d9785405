import Foundation
@_spi(Simulation) import UserNotifications

/// The style of the user interface: light, dark or unspecified.
/// [UIUserInterfaceStyle](https://developer.apple.com/documentation/uikit/uiuserinterfacestyle)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified = 0
    case light = 1
    case dark = 2
}

/// The size class of a width or a height: compact, regular or unspecified.
/// [UIUserInterfaceSizeClass](https://developer.apple.com/documentation/uikit/uiuserinterfacesizeclass)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceSizeClass: Int, Sendable {
    case unspecified = 0
    case compact = 1
    case regular = 2
}

/// The traits of the environment to which a view may adapt.
/// [UITraitCollection](https://developer.apple.com/documentation/uikit/uitraitcollection)
///
/// Differs from iOS: only style, size classes and scale are supported; `traitCollectionDidChange` reports a change, and
/// registering for changes is not supported.
public final class UITraitCollection: NSObject, Sendable {
    public let userInterfaceStyle: UIUserInterfaceStyle
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    public let verticalSizeClass: UIUserInterfaceSizeClass
    /// The number of pixels for each point; 0 means unspecified.
    public let displayScale: CGFloat

    init(
        userInterfaceStyle: UIUserInterfaceStyle, horizontalSizeClass: UIUserInterfaceSizeClass,
        verticalSizeClass: UIUserInterfaceSizeClass, displayScale: CGFloat
    ) {
        self.userInterfaceStyle = userInterfaceStyle
        self.horizontalSizeClass = horizontalSizeClass
        self.verticalSizeClass = verticalSizeClass
        self.displayScale = displayScale
    }

    /// Makes traits with only the style.
    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.init(
            userInterfaceStyle: userInterfaceStyle, horizontalSizeClass: .unspecified,
            verticalSizeClass: .unspecified, displayScale: 0)
    }

    /// Returns whether a dynamic colour may look different with other traits.
    public func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        traitCollection?.userInterfaceStyle != userInterfaceStyle
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UITraitCollection else { return false }
        return other.userInterfaceStyle == userInterfaceStyle && other.displayScale == displayScale
            && other.horizontalSizeClass == horizontalSizeClass && other.verticalSizeClass == verticalSizeClass
    }

    public override var hash: Int { userInterfaceStyle.hashValue ^ verticalSizeClass.hashValue }
}

extension UIScreen {
    /// Returns a phone's traits: the width is always compact, and the height is compact in landscape.
    func traits(style: UIUserInterfaceStyle) -> UITraitCollection {
        UITraitCollection(
            userInterfaceStyle: style, horizontalSizeClass: .compact,
            verticalSizeClass: orientation.isLandscape ? .compact : .regular, displayScale: scale)
    }
}

extension UIScreen {
    /// The traits of the screen of the app whose code is running.
    public var traitCollection: UITraitCollection {
        let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess
        return traits(style: process?.application.surroundings.style ?? .light)
    }
}

extension UIView {
    public var traitCollection: UITraitCollection {
        process?.screen.traits(style: effectiveStyle) ?? UITraitCollection(userInterfaceStyle: .light)
    }

    /// The light or dark style that applies: the override of the view or of its nearest superview, else the phone's style.
    var effectiveStyle: UIUserInterfaceStyle {
        var view: UIView? = self
        while let current = view {
            if current.overrideUserInterfaceStyle != .unspecified { return current.overrideUserInterfaceStyle }
            view = current.superview
        }
        return process?.application.surroundings.style ?? .light
    }
}

extension UIViewController {
    public var traitCollection: UITraitCollection { view.traitCollection }

    /// The light or dark style that the controller's view uses instead of the surrounding style; unspecified by default.
    public var overrideUserInterfaceStyle: UIUserInterfaceStyle {
        get { view.overrideUserInterfaceStyle }
        set { view.overrideUserInterfaceStyle = newValue }
    }
}

extension UIWindowScene {
    public var interfaceOrientation: UIInterfaceOrientation { screen.orientation }
    public var traitCollection: UITraitCollection { screen.traits(style: style) }
}
