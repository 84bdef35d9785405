import Foundation
@_spi(Simulation) import UIKit
import UserNotifications

extension NSExtensionContext {
    /// The buttons of the notification; initially the actions of its category.
    @available(iOS 12, *)
    public var notificationActions: [UNNotificationAction] {
        get { backend?.notificationActions ?? [] }
        set { backend?.notificationActions = newValue }
    }

    /// Opens the app as if the person had tapped the notification.
    @available(iOS 12, *)
    public func performNotificationDefaultAction() { backend?.performNotificationDefaultAction() }

    /// Closes the expanded notification; it stays in the phone's list of notifications.
    @available(iOS 12, *)
    public func dismissNotificationContentExtension() { backend?.dismissNotificationContentExtension() }

    /// Shows a pause sign on the media button from now on.
    public func mediaPlayingStarted() { backend?.mediaPlaying(true) }

    /// Shows a play sign on the media button from now on.
    public func mediaPlayingPaused() { backend?.mediaPlaying(false) }
}
