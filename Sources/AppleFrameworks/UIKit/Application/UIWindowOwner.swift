import Foundation

/// The protocol that gives an app's delegate the optional property `window`.
///
/// In Objective-C the property itself is optional, so reading it through a protocol gives an optional of an optional.
public protocol UIWindowOwner: NSObjectProtocol {}

extension UIWindowOwner {
    /// The app delegate's window, for code such as `delegate?.window??.rootViewController`.
    ///
    /// The form with one question mark compiles too.
    @MainActor @preconcurrency public var window: UIWindow?? { .some((self as? any UIApplicationDelegate)?.window) }
}
