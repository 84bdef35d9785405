import Foundation
@_spi(Simulation) import UserNotifications

extension UIApplicationDelegate where Self: NSObject {
    /// Starts the app: the entry point of `@main`.
    ///
    /// In a simulated phone, makes the delegate and sets it as the app's delegate.
    ///
    /// Differs from iOS: `main()` returns, because the phone already runs the main queue. Outside any phone, the method stops
    /// the program with an explanation.
    public static func main() {
        guard let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess else {
            SimulatedDevices.stop(
                "\(Self.self).main() was called outside of a simulated phone. Install the app on a phone and let the "
                    + "phone open it: AppBundle(bundleID:name:makeDelegate: { \(Self.self)() })")
        }
        process.application.delegate = Creatable.make(Self.self)
    }
}
