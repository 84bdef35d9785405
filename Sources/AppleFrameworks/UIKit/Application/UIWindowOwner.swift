import Foundation

/// The owner of the optional property `window` of an app's delegate.
///
/// In Objective-C the property itself is optional, so reading it through the protocol gives an optional of an optional.
public protocol UIWindowOwner: NSObjectProtocol {}

extension UIWindowOwner {
    /// The window, as in `delegate?.window??.rootViewController`; with one question mark it also compiles.
    @MainActor @preconcurrency public var window: UIWindow?? { .some((self as? any UIApplicationDelegate)?.window) }
}
