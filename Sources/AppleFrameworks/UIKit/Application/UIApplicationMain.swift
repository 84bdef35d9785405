import Foundation
@_spi(Simulation) import UserNotifications

/// Starts an app that has a `main.swift` instead of an `@main` delegate.
///
/// In a simulated phone, makes the delegate and sets it as the app's delegate.
///
/// Differs from iOS: the function returns, because the phone already runs the main queue; `principalClassName` must be `nil`.
/// Another value, or a class that is no app delegate, ends the app.
///
/// - Parameter delegateClassName: `NSStringFromClass` of an `NSObject` that is a ``UIApplicationDelegate``.
/// - Returns: 0; 1 if no delegate was made.
@MainActor @preconcurrency @discardableResult public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    guard let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess else {
        SimulatedDevices.stop(
            "UIApplicationMain was called outside of a simulated phone. Install the app on a phone and let the phone open "
                + "it: AppBundle(bundleID:name:main:)")
    }
    if let principalClassName {
        SimulatedDevices.hasMade(
            mistake: "entryPointWithoutDelegate",
            "\(principalClassName): a subclass of UIApplication cannot be made on a simulated phone")
    }
    guard let type = delegateClassName.flatMap(NSClassFromString) as? NSObject.Type,
        let delegate = Creatable.make(type) as? any UIApplicationDelegate
    else {
        SimulatedDevices.hasMade(
            mistake: "entryPointWithoutDelegate",
            "\(delegateClassName ?? "nil") names no NSObject that is a UIApplicationDelegate")
        return 1
    }
    process.application.delegate = delegate
    return 0
}
