@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The app delegate's methods from before iOS 10.
extension AppLife {
    static let oldMethods: any OldDelegateCalls = OldDelegateMethods()

    /// Tells the app of a `UILocalNotification` of its own that has fired, or was tapped.
    ///
    /// - Returns: whether its delegate has the method.
    func receivedByOldMethod(_ original: AnyObject, _ process: AppProcess) async -> Bool {
        let method = OptionalMethod.Call()
        await kernel.call(process, "didReceive notification") {
            OptionalMethod.$call.withValue(method) {
                Self.oldMethods.received(local: original, process.application)
            }
        }
        return !method.isMissing("didReceive")
    }
}
