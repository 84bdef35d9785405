import Foundation

/// The size and weight of a font, for drawing the screen. [UIFont](https://developer.apple.com/documentation/uikit/uifont)
public class UIFont: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    /// The weight of a font, −1…1; 0 is regular.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat

        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        public static let ultraLight = Self(-0.8)
        public static let thin = Self(-0.6)
        public static let light = Self(-0.4)
        public static let regular = Self(0)
        public static let medium = Self(0.23)
        public static let semibold = Self(0.3)
        public static let bold = Self(0.4)
        public static let heavy = Self(0.56)
        public static let black = Self(0.62)
    }

    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let largeTitle = Self(rawValue: "UICTFontTextStyleTitle0")
        public static let title1 = Self(rawValue: "UICTFontTextStyleTitle1")
        public static let title2 = Self(rawValue: "UICTFontTextStyleTitle2")
        public static let title3 = Self(rawValue: "UICTFontTextStyleTitle3")
        public static let headline = Self(rawValue: "UICTFontTextStyleHeadline")
        public static let subheadline = Self(rawValue: "UICTFontTextStyleSubhead")
        public static let body = Self(rawValue: "UICTFontTextStyleBody")
        public static let callout = Self(rawValue: "UICTFontTextStyleCallout")
        public static let footnote = Self(rawValue: "UICTFontTextStyleFootnote")
        public static let caption1 = Self(rawValue: "UICTFontTextStyleCaption1")
        public static let caption2 = Self(rawValue: "UICTFontTextStyleCaption2")
    }

    /// The size in points.
    public let pointSize: CGFloat
    @_spi(Simulation) public let weight: Weight

    init(size: CGFloat, weight: Weight) {
        pointSize = size
        self.weight = weight
    }

    public class func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(size: size, weight: .regular) }
    public class func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(size: size, weight: weight) }
    public class func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(size: size, weight: .bold) }

    /// Returns the font of a text style at the default content size.
    public class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(size: sizes[style] ?? 17, weight: style == .headline ? .semibold : .regular)
    }

    public func withSize(_ size: CGFloat) -> UIFont { UIFont(size: size, weight: weight) }

    public var lineHeight: CGFloat { (pointSize * 1.2).rounded(.up) }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UIFont).map { $0.pointSize == pointSize && $0.weight == weight } ?? false
    }

    public override var hash: Int { pointSize.hashValue }

    private static let sizes: [TextStyle: CGFloat] = [
        .largeTitle: 34, .title1: 28, .title2: 22, .title3: 20, .headline: 17, .body: 17, .callout: 16,
        .subheadline: 15, .footnote: 13, .caption1: 12, .caption2: 11,
    ]
}
