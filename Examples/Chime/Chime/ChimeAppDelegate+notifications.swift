import CarillonApp
import CarillonBanner
import CarillonCore
import UIKit
import UserNotifications

/// The callbacks of the notification center, forwarded too.
extension ChimeAppDelegate: @preconcurrency UNUserNotificationCenterDelegate {
    /// Forwards a notification that arrives in the foreground; Chime's own banner waits while the system's is shown.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        guard let carillon else { return completionHandler([.banner, .list]) }
        carillon.willPresent(notification) { [banner] options in
            if options.contains(.banner), carillon.authorizationStatus == .authorized { banner?.systemBannerAppeared() }
            completionHandler(options)
        }
    }

    /// Forwards the person's response to a notification.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        guard let carillon else { return completionHandler() }
        carillon.didReceive(response, withCompletionHandler: completionHandler)
    }
}
