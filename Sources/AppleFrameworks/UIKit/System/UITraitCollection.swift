import Foundation

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified = 0
    case light = 1
    case dark = 2
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceSizeClass: Int, Sendable {
    case unspecified = 0
    case compact = 1
    case regular = 2
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIInterfaceOrientation: Int, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
}

/// What of its surroundings a view may care about.
/// [UITraitCollection](https://developer.apple.com/documentation/uikit/uitraitcollection)
///
/// Differs from iOS: always that of a phone held upright, in light colours.
@MainActor public class UITraitCollection: NSObject {
    public let userInterfaceStyle = UIUserInterfaceStyle.light
    public let horizontalSizeClass = UIUserInterfaceSizeClass.compact
    public let verticalSizeClass = UIUserInterfaceSizeClass.regular
    public let displayScale: CGFloat

    init(displayScale: CGFloat) { self.displayScale = displayScale }
}

extension UIView {
    public var traitCollection: UITraitCollection {
        UITraitCollection(displayScale: process?.screen.scale ?? 1)
    }
}

extension UIViewController {
    public var traitCollection: UITraitCollection { view.traitCollection }
}

extension UIWindowScene {
    public var interfaceOrientation: UIInterfaceOrientation { .portrait }
    public var traitCollection: UITraitCollection { UITraitCollection(displayScale: screen.scale) }
}
