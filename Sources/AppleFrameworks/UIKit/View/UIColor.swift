import Foundation

/// A colour in sRGB. [UIColor](https://developer.apple.com/documentation/uikit/uicolor)
///
/// A dynamic colour is light or dark, depending on the view in which it is drawn.
///
/// Differs from iOS: `cgColor` and `getRed` use the light value of a dynamic colour; resolve the colour first.
public class UIColor: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    let red: CGFloat
    let green: CGFloat
    let blue: CGFloat
    let alpha: CGFloat
    private let provider: (@Sendable (UITraitCollection) -> UIColor)?
    /// The variant of this colour for Increase Contrast; `nil` if the colour has no variant.
    private let increased: UIColor?

    /// Makes a colour that depends on traits, such as light or dark.
    public convenience init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
        self.init(dynamicProvider, increased: nil)
    }

    private init(_ dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor, increased: UIColor?) {
        let light = dynamicProvider(UITraitCollection(userInterfaceStyle: .light))
        (red, green, blue, alpha) = (light.red, light.green, light.blue, light.alpha)
        provider = dynamicProvider
        self.increased = increased
    }

    /// Makes a colour from its components, each 0…1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        provider = nil
        increased = nil
    }

    /// Makes a colour from the app's asset catalogue.
    ///
    /// Differs from iOS: `nil` for any name, because there is no asset catalogue.
    public convenience init?(named name: String) { return nil }

    public convenience init(cgColor: CGColor) {
        let color = cgColor.color
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    private convenience init(hex: Int, alpha: CGFloat = 1) {
        self.init(
            red: CGFloat(hex >> 16 & 255) / 255, green: CGFloat(hex >> 8 & 255) / 255, blue: CGFloat(hex & 255) / 255,
            alpha: alpha)
    }

    convenience init(hex: Int, dark: Int, alpha: CGFloat = 1, increased: UIColor? = nil) {
        let (light, dark) = (UIColor(hex: hex, alpha: alpha), UIColor(hex: dark, alpha: alpha))
        self.init({ $0.userInterfaceStyle == .dark ? dark : light }, increased: increased)
    }

    /// Returns the colour for the traits; `self` if it is not dynamic.
    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        provider?(traitCollection).resolvedColor(with: traitCollection) ?? self
    }

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        guard let provider else { return UIColor(red: red, green: green, blue: blue, alpha: alpha) }
        return UIColor { provider($0).resolvedColor(with: $0).withAlphaComponent(alpha) }
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
        if provider != nil || other.provider != nil { return other === self }
        return (other.red, other.green, other.blue, other.alpha) == (red, green, blue, alpha)
    }

    public override var hash: Int { rgba.hashValue }

    /// The colour as `#rrggbbaa`, the notation of browsers; for a dynamic colour its light value.
    @_spi(Simulation) public var rgba: String {
        [red, green, blue, alpha]
            .map { String(format: "%02x", $0.isNaN ? 0 : Int((min(max($0, 0), 1) * 255).rounded())) }
            .reduce("#", +)
    }

    /// Returns the colour as drawn in `view`, as `#rrggbbaa`.
    @_spi(Simulation) @MainActor public func rgba(in view: UIView) -> String {
        guard let provider else { return rgba }
        return provider(view.traitCollection).rgba
    }

    /// Returns the colour of a text in `view`, as `#rrggbbaa`.
    ///
    /// Differs from iOS: texts are drawn as with Increase Contrast, because Apple's blue and greys are hard to read on the
    /// web page that shows the phone.
    @MainActor func textRGBA(in view: UIView) -> String { (increased ?? self).rgba(in: view) }

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
    public static let systemRed = UIColor(
        hex: 0xFF3B30, dark: 0xFF453A, increased: UIColor(hex: 0xD70015, dark: 0xFF6961))
    public static let systemOrange = UIColor(
        hex: 0xFF9500, dark: 0xFF9F0A, increased: UIColor(hex: 0xC93400, dark: 0xFFB340))
    public static let systemYellow = UIColor(
        hex: 0xFFCC00, dark: 0xFFD60A, increased: UIColor(hex: 0xB25000, dark: 0xFFD426))
    public static let systemGreen = UIColor(
        hex: 0x34C759, dark: 0x30D158, increased: UIColor(hex: 0x248A3D, dark: 0x30DB5B))
    public static let systemTeal = UIColor(
        hex: 0x30B0C7, dark: 0x40C8E0, increased: UIColor(hex: 0x008299, dark: 0x5DE6FF))
    public static let systemBlue = UIColor(
        hex: 0x007AFF, dark: 0x0A84FF, increased: UIColor(hex: 0x0040DD, dark: 0x409CFF))
    public static let systemIndigo = UIColor(
        hex: 0x5856D6, dark: 0x5E5CE6, increased: UIColor(hex: 0x3634A3, dark: 0x7D7AFF))
    public static let systemPurple = UIColor(
        hex: 0xAF52DE, dark: 0xBF5AF2, increased: UIColor(hex: 0x8944AB, dark: 0xDA8FFF))
    public static let systemPink = UIColor(
        hex: 0xFF2D55, dark: 0xFF375F, increased: UIColor(hex: 0xD30F45, dark: 0xFF6482))
    public static let systemGray = UIColor(
        hex: 0x8E8E93, dark: 0x8E8E93, increased: UIColor(hex: 0x6C6C70, dark: 0xAEAEB2))
    public static let systemGray2 = UIColor(hex: 0xAEAEB2, dark: 0x636366)
    public static let systemGray3 = UIColor(hex: 0xC7C7CC, dark: 0x48484A)
    public static let systemGray4 = UIColor(hex: 0xD1D1D6, dark: 0x3A3A3C)
    public static let systemGray5 = UIColor(hex: 0xE5E5EA, dark: 0x2C2C2E)
    public static let systemGray6 = UIColor(hex: 0xF2F2F7, dark: 0x1C1C1E)
    public static let label = UIColor(hex: 0x000000, dark: 0xFFFFFF)
    public static let secondaryLabel = UIColor(
        hex: 0x3C3C43, dark: 0xEBEBF5, alpha: 0.6, increased: UIColor(hex: 0x3C3C43, dark: 0xEBEBF5, alpha: 0.8))
    public static let tertiaryLabel = UIColor(
        hex: 0x3C3C43, dark: 0xEBEBF5, alpha: 0.3, increased: UIColor(hex: 0x3C3C43, dark: 0xEBEBF5, alpha: 0.7))
    public static let placeholderText = UIColor(
        hex: 0x3C3C43, dark: 0xEBEBF5, alpha: 0.3, increased: UIColor(hex: 0x3C3C43, dark: 0xEBEBF5, alpha: 0.7))
    public static let separator = UIColor(hex: 0x3C3C43, dark: 0x545458, alpha: 0.29)
    public static let systemBackground = UIColor(hex: 0xFFFFFF, dark: 0x000000)
    public static let secondarySystemBackground = UIColor(hex: 0xF2F2F7, dark: 0x1C1C1E)
    public static let tertiarySystemBackground = UIColor(hex: 0xFFFFFF, dark: 0x2C2C2E)
    public static let systemGroupedBackground = UIColor(hex: 0xF2F2F7, dark: 0x000000)
}

/// A colour for layers.
public class CGColor: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    let color: UIColor

    init(color: UIColor) { self.color = color }

    public var alpha: CGFloat { color.alpha }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CGColor)?.color == color }

    public override var hash: Int { color.hash }
}

extension CGColor {
    /// The colour as `#rrggbbaa`.
    @_spi(Simulation) public var rgba: String { color.rgba }
}
