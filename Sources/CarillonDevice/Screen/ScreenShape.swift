import Foundation
@_spi(Simulation) import UIKit

/// The size and scale of a phone's screen, and the heights of the areas that system interfaces cover.
public struct ScreenShape: Sendable, Hashable, Codable {
    /// The width of the screen, in points.
    public var width: Double
    /// The height of the screen, in points.
    public var height: Double
    /// The number of pixels for each point, as `UIScreen.scale` gives it.
    public var scale: Double
    /// The height of the area at the top that the status bar and the notch cover, in points.
    public var safeAreaTop: Double
    /// The height of the area at the bottom that the home indicator covers, in points; 0 for a phone with a home button.
    public var safeAreaBottom: Double

    /// Makes the shape of a screen.
    ///
    /// - Parameters:
    ///   - width: the width, in points.
    ///   - height: the height, in points.
    ///   - scale: the number of pixels for each point.
    ///   - safeAreaTop: the height that the status bar and the notch cover, in points.
    ///   - safeAreaBottom: the height that the home indicator covers, in points.
    public init(width: Double, height: Double, scale: Double, safeAreaTop: Double, safeAreaBottom: Double) {
        self.width = width
        self.height = height
        self.scale = scale
        self.safeAreaTop = safeAreaTop
        self.safeAreaBottom = safeAreaBottom
    }

    /// The screen of the iPhone 14: 390 × 844 points, with a notch.
    public static let withNotch = ScreenShape(
        width: 390, height: 844, scale: 3, safeAreaTop: 47, safeAreaBottom: 34)
    /// The screen of the iPhone SE: 375 × 667 points, on a phone with a home button.
    public static let withHomeButton = ScreenShape(
        width: 375, height: 667, scale: 2, safeAreaTop: 20, safeAreaBottom: 0)
}

extension UIScreen {
    /// Makes the screen of an upright phone.
    convenience init(_ shape: ScreenShape) {
        self.init(
            size: CGSize(width: shape.width, height: shape.height), scale: CGFloat(shape.scale),
            safeAreaInsets: UIEdgeInsets(top: CGFloat(shape.safeAreaTop), bottom: CGFloat(shape.safeAreaBottom)))
    }
}
