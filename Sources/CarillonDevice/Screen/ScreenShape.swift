/// The size of a phone's screen in points, and what of it is covered.
public struct ScreenShape: Sendable, Hashable, Codable {
    public var width: Double
    public var height: Double
    public var scale: Double
    public var safeAreaTop: Double
    public var safeAreaBottom: Double

    public init(width: Double, height: Double, scale: Double, safeAreaTop: Double, safeAreaBottom: Double) {
        self.width = width
        self.height = height
        self.scale = scale
        self.safeAreaTop = safeAreaTop
        self.safeAreaBottom = safeAreaBottom
    }

    /// 390 × 844 with a notch.
    public static let withNotch = ScreenShape(
        width: 390, height: 844, scale: 3, safeAreaTop: 47, safeAreaBottom: 34)
    /// 375 × 667 with a home button.
    public static let withHomeButton = ScreenShape(
        width: 375, height: 667, scale: 2, safeAreaTop: 20, safeAreaBottom: 0)
}
