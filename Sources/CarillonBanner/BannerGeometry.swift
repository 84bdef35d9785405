import Foundation

/// The position and the size of a banner.
///
/// All lengths are points; `y` is the banner's upper edge in its window.
package struct BannerGeometry: Sendable, Hashable {
    /// The space between the banner and the edges of the screen.
    static let margin: CGFloat = 8
    /// The greatest height of the status bar on devices without a notch: 20 points on iPhones, 24 on iPads.
    ///
    /// A banner covers such a status bar.
    static let statusBarHeight: CGFloat = 24
    /// The greatest width of a banner: longer lines are hard to read.
    static let widthLimit: CGFloat = 600

    var windowSize: CGSize
    var safeAreaTop: CGFloat
    /// The larger of the safe area's left and right insets.
    var safeAreaSides: CGFloat
    var safeAreaBottom: CGFloat

    package init(
        windowSize: CGSize, safeAreaTop: CGFloat, safeAreaSides: CGFloat = 0, safeAreaBottom: CGFloat = 0
    ) {
        self.windowSize = windowSize
        self.safeAreaTop = safeAreaTop
        self.safeAreaSides = safeAreaSides
        self.safeAreaBottom = safeAreaBottom
    }

    /// The `y` of a resting banner: below a notch or Dynamic Island, else ``margin`` below the edge of the screen.
    package var restingY: CGFloat { safeAreaTop > Self.statusBarHeight ? safeAreaTop : Self.margin }

    package var width: CGFloat { min(Self.widthLimit, windowSize.width - 2 * (Self.margin + safeAreaSides)) }

    /// The greatest height of a banner: with this height, the banner stays clear of the window's lower edge.
    package var heightLimit: CGFloat { windowSize.height - restingY - max(Self.margin, safeAreaBottom) }

    package func frame(height: CGFloat, y: CGFloat) -> CGRect {
        CGRect(x: (windowSize.width - width) / 2, y: y, width: width, height: height)
    }

    /// Returns the `y` of a hidden banner: just above the window.
    package func hiddenY(height: CGFloat) -> CGFloat { -height }
}
