import Foundation

/// A colour in sRGB.
/// [UIColor](https://developer.apple.com/documentation/uikit/uicolor)
///
/// Differs from iOS: the system's colours have their light values always.
public class UIColor: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    let red: CGFloat
    let green: CGFloat
    let blue: CGFloat
    let alpha: CGFloat

    /// - Parameters: each 0…1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    private convenience init(hex: Int, alpha: CGFloat = 1) {
        self.init(
            red: CGFloat(hex >> 16 & 255) / 255, green: CGFloat(hex >> 8 & 255) / 255, blue: CGFloat(hex & 255) / 255,
            alpha: alpha)
    }

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    public var cgColor: CGColor { CGColor(color: self) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (other.red, other.green, other.blue, other.alpha) == (red, green, blue, alpha)
    }

    public override var hash: Int { rgba.hashValue }

    /// `#rrggbbaa`, as a browser reads it.
    @_spi(Simulation) public var rgba: String {
        [red, green, blue, alpha]
            .map { String(format: "%02x", Int((min(max($0, 0), 1) * 255).rounded())) }
            .reduce("#", +)
    }

    public static let black = UIColor(hex: 0x000000)
    public static let darkGray = UIColor(hex: 0x555555)
    public static let lightGray = UIColor(hex: 0xAAAAAA)
    public static let white = UIColor(hex: 0xFFFFFF)
    public static let gray = UIColor(hex: 0x808080)
    public static let red = UIColor(hex: 0xFF0000)
    public static let green = UIColor(hex: 0x00FF00)
    public static let blue = UIColor(hex: 0x0000FF)
    public static let cyan = UIColor(hex: 0x00FFFF)
    public static let yellow = UIColor(hex: 0xFFFF00)
    public static let magenta = UIColor(hex: 0xFF00FF)
    public static let orange = UIColor(hex: 0xFF8000)
    public static let purple = UIColor(hex: 0x800080)
    public static let brown = UIColor(hex: 0x996633)
    public static let clear = UIColor(hex: 0x000000, alpha: 0)
    public static let systemRed = UIColor(hex: 0xFF3B30)
    public static let systemOrange = UIColor(hex: 0xFF9500)
    public static let systemYellow = UIColor(hex: 0xFFCC00)
    public static let systemGreen = UIColor(hex: 0x34C759)
    public static let systemTeal = UIColor(hex: 0x30B0C7)
    public static let systemBlue = UIColor(hex: 0x007AFF)
    public static let systemIndigo = UIColor(hex: 0x5856D6)
    public static let systemPurple = UIColor(hex: 0xAF52DE)
    public static let systemPink = UIColor(hex: 0xFF2D55)
    public static let systemGray = UIColor(hex: 0x8E8E93)
    public static let systemGray2 = UIColor(hex: 0xAEAEB2)
    public static let systemGray3 = UIColor(hex: 0xC7C7CC)
    public static let systemGray4 = UIColor(hex: 0xD1D1D6)
    public static let systemGray5 = UIColor(hex: 0xE5E5EA)
    public static let systemGray6 = UIColor(hex: 0xF2F2F7)
    public static let label = UIColor(hex: 0x000000)
    public static let secondaryLabel = UIColor(hex: 0x3C3C43, alpha: 0.6)
    public static let tertiaryLabel = UIColor(hex: 0x3C3C43, alpha: 0.3)
    public static let separator = UIColor(hex: 0x3C3C43, alpha: 0.29)
    public static let systemBackground = UIColor(hex: 0xFFFFFF)
    public static let secondarySystemBackground = UIColor(hex: 0xF2F2F7)
    public static let tertiarySystemBackground = UIColor(hex: 0xFFFFFF)
    public static let systemGroupedBackground = UIColor(hex: 0xF2F2F7)
}

/// A colour, as layers take it.
public class CGColor: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    let color: UIColor

    init(color: UIColor) { self.color = color }

    public var alpha: CGFloat { color.alpha }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CGColor)?.color == color }

    public override var hash: Int { color.hash }
}

extension CGColor {
    /// `#rrggbbaa`.
    @_spi(Simulation) public var rgba: String { color.rgba }
}
