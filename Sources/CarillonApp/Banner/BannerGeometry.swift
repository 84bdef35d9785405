import Foundation

/// Where a banner is, and what a finger does to it. All lengths are points; `y` is the banner's upper edge in its
/// window.
public struct BannerGeometry: Sendable, Hashable {
    public static let margin: CGFloat = 8
    /// Upward faster than this, in points a second, is a flick: the banner goes.
    public static let flickSpeed: CGFloat = 750
    /// Dragged up by this much, or by a third of its height, the banner goes.
    public static let dismissDistance: CGFloat = 75
    /// Pulled down by this much, as the finger goes, the banner opens.
    public static let expandDistance: CGFloat = 60
    public static let widthLimit: CGFloat = 600

    public var windowSize: CGSize
    public var safeAreaTop: CGFloat
    public var safeAreaSides: CGFloat

    public init(windowSize: CGSize, safeAreaTop: CGFloat, safeAreaSides: CGFloat = 0) {
        self.windowSize = windowSize
        self.safeAreaTop = safeAreaTop
        self.safeAreaSides = safeAreaSides
    }

    /// Below the notch or the Dynamic Island; 8 on phones without either, and in landscape.
    public var restingY: CGFloat { max(Self.margin, safeAreaTop) }

    public var width: CGFloat { min(Self.widthLimit, windowSize.width - 2 * (Self.margin + safeAreaSides)) }

    public func frame(height: CGFloat, y: CGFloat) -> CGRect {
        CGRect(x: (windowSize.width - width) / 2, y: y, width: width, height: height)
    }

    /// Just above the window.
    public func hiddenY(height: CGFloat) -> CGFloat { -height }

    /// How far the banner follows a finger: all the way up, and down like a rubber band, |y|^0.7.
    public static func offset(translation: CGFloat) -> CGFloat {
        translation <= 0 ? translation : pow(translation, 0.7)
    }

    public enum Release: Sendable, Hashable {
        case dismiss
        case expand
        case settle
    }

    /// What letting go means.
    ///
    /// - Parameters:
    ///   - translation: how far the finger has come since it touched; negative is up.
    ///   - velocity: points a second; negative is up.
    public static func released(translation: CGFloat, velocity: CGFloat, height: CGFloat) -> Release {
        if velocity < -flickSpeed { return .dismiss }
        if -translation > min(dismissDistance, height * 0.33) { return .dismiss }
        return translation > expandDistance ? .expand : .settle
    }
}
