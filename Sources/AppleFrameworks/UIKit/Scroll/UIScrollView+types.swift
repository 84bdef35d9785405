import Foundation

extension UIScrollView {
    /// The deceleration of scrolling: the factor that multiplies the velocity in each millisecond.
    public struct DecelerationRate: RawRepresentable, Sendable, Hashable {
        public var rawValue: CGFloat

        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = Self(rawValue: 0.998)
        public static let fast = Self(rawValue: 0.99)
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic = 0
        case scrollableAxes = 1
        case never = 2
        case always = 3
    }
}
