import CarillonApp
import Foundation
import UIKit

/// The callbacks of iOS, forwarded: one line each.
extension ChimeAppDelegate {
    /// Forwards the device token.
    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken)
        self.deviceToken = deviceToken.map { String(format: "%02x", $0) }.joined()
    }

    /// Forwards the error if iOS gives no device token.
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        carillon?.didFailToRegisterForRemoteNotifications(withError: error)
    }

    /// Forwards a remote notification.
    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let carillon else { return completionHandler(.noData) }
        carillon.didReceiveRemoteNotification(userInfo, fetchCompletionHandler: completionHandler)
    }
}
