import Foundation

/// What a whole class of views is to look like.
/// [UIAppearance](https://developer.apple.com/documentation/uikit/uiappearance)
@MainActor @preconcurrency public protocol UIAppearance: NSObjectProtocol {
    /// Differs from iOS: takes everything and changes no view.
    static func appearance() -> Self
}

extension UINavigationBar: UIAppearance {
    public static func appearance() -> Self { Self(frame: .zero) }
}

extension UITabBar: UIAppearance {
    public static func appearance() -> Self { Self(frame: .zero) }
}
