import Foundation

/// What an app's delegate is besides: in Objective-C its property `window` is optional, so that who asks any delegate for it
/// gets an optional of an optional.
public protocol UIWindowOwner: NSObjectProtocol {}

extension UIWindowOwner {
    /// As in `delegate?.window??.rootViewController`; one question mark less is right here too.
    @MainActor @preconcurrency public var window: UIWindow?? { .some((self as? any UIApplicationDelegate)?.window) }
}
