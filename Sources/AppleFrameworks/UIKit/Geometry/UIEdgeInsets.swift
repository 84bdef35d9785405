import Foundation

/// The distances from the four edges, in points.
/// [UIEdgeInsets](https://developer.apple.com/documentation/uikit/uiedgeinsets)
public struct UIEdgeInsets: Equatable, Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat

    public static let zero = Self()

    public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

extension UIEdgeInsets {
    func adding(bars: UIEdgeInsets) -> UIEdgeInsets {
        UIEdgeInsets(
            top: top + bars.top, left: left + bars.left, bottom: bottom + bars.bottom, right: right + bars.right)
    }
}

extension CGRect {
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: origin.x + insets.left, y: origin.y + insets.top,
            width: size.width - insets.left - insets.right, height: size.height - insets.top - insets.bottom)
    }
}
