import Foundation

/// The protocol that gives every app delegate a property `window` of the type `UIWindow??`, a double optional.
///
/// On iOS, `window` is an optional requirement of `UIApplicationDelegate`, with the type `UIWindow?`. So an app that reads this
/// property through `UIApplicationDelegate` gets a double optional on iOS too.
public protocol UIWindowOwner: NSObjectProtocol {}

extension UIWindowOwner {
    /// The app delegate's window, for code such as `delegate?.window??.rootViewController`.
    ///
    /// Code with one question mark, `delegate?.window?.rootViewController`, compiles too.
    @MainActor @preconcurrency public var window: UIWindow?? { .some((self as? any UIApplicationDelegate)?.window) }
}
