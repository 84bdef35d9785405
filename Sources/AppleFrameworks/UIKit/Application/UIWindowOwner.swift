import Foundation

/// The protocol that gives every app delegate a property `window` of the type `UIWindow??`, a double optional.
///
/// In Apple's UIKit, the protocol's property has the type `UIWindow?`, and a delegate need not implement it. So an app that reads
/// `window` through the protocol gets a double optional there.
public protocol UIWindowOwner: NSObjectProtocol {}

extension UIWindowOwner {
    /// The app delegate's window, for code such as `delegate?.window??.rootViewController`.
    ///
    /// Code with one question mark, `delegate?.window?.rootViewController`, compiles too.
    @MainActor @preconcurrency public var window: UIWindow?? { .some((self as? any UIApplicationDelegate)?.window) }
}
