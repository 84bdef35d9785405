import Foundation

/// Where a banner is, and what a finger does to it.
///
/// All lengths are points; `y` is the banner's upper edge in its window.
package struct BannerGeometry: Sendable, Hashable {
    /// The space between the banner and the edges of the screen.
    static let margin: CGFloat = 8
    /// The upward speed, in points a second, beyond which a gesture is a flick that dismisses the banner.
    static let flickSpeed: CGFloat = 750
    /// Dragged up by more than this, or by a third of its height if that is less, the banner is dismissed.
    static let dismissDistance: CGFloat = 75
    /// Pulled down by more than this, measured at the finger, the banner expands.
    static let expandDistance: CGFloat = 60
    /// The widest that a banner becomes: longer lines are hard to read.
    static let widthLimit: CGFloat = 600

    var windowSize: CGSize
    var safeAreaTop: CGFloat
    /// The larger of the insets at the left and at the right.
    var safeAreaSides: CGFloat

    package init(windowSize: CGSize, safeAreaTop: CGFloat, safeAreaSides: CGFloat = 0) {
        self.windowSize = windowSize
        self.safeAreaTop = safeAreaTop
        self.safeAreaSides = safeAreaSides
    }

    /// Below the notch or the Dynamic Island; ``margin`` on phones without either, and in landscape.
    package var restingY: CGFloat { max(Self.margin, safeAreaTop) }

    package var width: CGFloat { min(Self.widthLimit, windowSize.width - 2 * (Self.margin + safeAreaSides)) }

    package func frame(height: CGFloat, y: CGFloat) -> CGRect {
        CGRect(x: (windowSize.width - width) / 2, y: y, width: width, height: height)
    }

    /// Just above the window.
    package func hiddenY(height: CGFloat) -> CGFloat { -height }

    /// How far the banner follows a finger: all the way up, and down with growing resistance, |y|^0.7.
    package static func offset(translation: CGFloat) -> CGFloat {
        translation <= 0 ? translation : pow(translation, 0.7)
    }

    /// What becomes of a banner when the finger lets it go.
    package enum Release: Sendable, Hashable {
        case dismiss
        case expand
        /// Back to where it rests.
        case settle
    }

    /// What letting go means.
    ///
    /// - Parameters:
    ///   - translation: how far the finger has moved since it touched the banner; negative is up.
    ///   - velocity: points a second; negative is up.
    ///   - height: the banner's.
    /// - Returns: what becomes of the banner.
    package static func released(translation: CGFloat, velocity: CGFloat, height: CGFloat) -> Release {
        if velocity < -flickSpeed { return .dismiss }
        if -translation > min(dismissDistance, height * 0.33) { return .dismiss }
        return translation > expandDistance ? .expand : .settle
    }
}
