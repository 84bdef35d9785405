import CarillonApp
import UIKit
import UserNotifications

/// The notification center's delegate, forwarded too.
extension ChimeAppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        guard let carillon else { return completionHandler([.banner, .list]) }
        carillon.willPresent(notification) { [banner] options in
            if options.contains(.banner), carillon.permission == .authorized { banner?.systemBannerAppeared() }
            completionHandler(options)
        }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard let carillon else { return completionHandler() }
        carillon.didReceive(response, withCompletionHandler: completionHandler)
    }
}
