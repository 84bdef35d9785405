import Foundation

/// Where a banner is and how large.
///
/// All lengths are points; `y` is the banner's upper edge in its window.
package struct BannerGeometry: Sendable, Hashable {
    /// The space between the banner and the edges of the screen.
    static let margin: CGFloat = 8
    /// The most that a status bar without a notch covers, over which a banner lies: 20 points on iPhones, 24 on iPads.
    static let statusBarHeight: CGFloat = 24
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

    /// Below the notch or the Dynamic Island; ``margin`` from the edge where there is only a status bar, or nothing.
    package var restingY: CGFloat { safeAreaTop > Self.statusBarHeight ? safeAreaTop : Self.margin }

    package var width: CGFloat { min(Self.widthLimit, windowSize.width - 2 * (Self.margin + safeAreaSides)) }

    package func frame(height: CGFloat, y: CGFloat) -> CGRect {
        CGRect(x: (windowSize.width - width) / 2, y: y, width: width, height: height)
    }

    /// Just above the window.
    package func hiddenY(height: CGFloat) -> CGFloat { -height }
}
