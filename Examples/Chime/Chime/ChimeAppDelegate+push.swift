import CarillonApp
import UIKit

/// The callbacks of iOS, forwarded: one line each.
extension ChimeAppDelegate {
    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        carillon?.didRegister(deviceToken: deviceToken)
    }

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        carillon?.didFailToRegister(error: error)
    }

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let carillon else { return completionHandler(.noData) }
        carillon.handle(remoteNotification: userInfo, fetchCompletionHandler: completionHandler)
    }
}
