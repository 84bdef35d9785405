import Foundation
@_spi(Simulation) import UserNotifications

/// The direction in which the user interface is laid out: left to right, or right to left.
/// [UIUserInterfaceLayoutDirection](https://developer.apple.com/documentation/uikit/uiuserinterfacelayoutdirection)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    case leftToRight = 0
    case rightToLeft = 1
}

/// The meaning of a view's content, which decides whether the view is mirrored in a right-to-left language.
/// [UISemanticContentAttribute](https://developer.apple.com/documentation/uikit/uisemanticcontentattribute)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UISemanticContentAttribute: Int, Sendable {
    case unspecified = 0
    case playback = 1
    case spatial = 2
    case forceLeftToRight = 3
    case forceRightToLeft = 4
}

extension UIView {
    /// Returns the layout direction of a view with this attribute.
    /// [userInterfaceLayoutDirection(for:)](https://developer.apple.com/documentation/uikit/uiview/userinterfacelayoutdirection(for:))
    ///
    /// Differs from iOS: the language is the phone's, even if the app has no translation into it.
    public static func userInterfaceLayoutDirection(
        for attribute: UISemanticContentAttribute
    ) -> UIUserInterfaceLayoutDirection {
        switch attribute {
        case .playback, .spatial, .forceLeftToRight: .leftToRight
        case .forceRightToLeft: .rightToLeft
        case .unspecified:
            locale.language.characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
        }
    }

    private static var locale: Locale { SimulatedDevices.currentProcess?.locale ?? .current }
}
