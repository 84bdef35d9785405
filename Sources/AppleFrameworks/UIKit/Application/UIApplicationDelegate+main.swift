import Foundation
@_spi(Simulation) import UserNotifications

extension UIApplicationDelegate where Self: NSObject {
    /// Starts the app: the entry point of `@main`.
    ///
    /// Inside a phone it passes the phone a closure that makes this delegate.
    ///
    /// Differs from iOS: it returns, because the phone already runs the main queue. Outside any phone it stops with an
    /// explanation.
    public static func main() {
        guard let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess else {
            preconditionFailure(
                "\(Self.self).main() was called outside of a simulated phone. Install the app on a phone and let the "
                    + "phone open it: AppBundle(bundleID:name:makeDelegate: { \(Self.self)() })")
        }
        process.application.delegate = Creatable.make(Self.self)
    }
}
