import Foundation
import UIKit
import UserNotifications

/// The methods that the system calls on a content extension's view controller.
/// [UNNotificationContentExtension](https://developer.apple.com/documentation/usernotificationsui/unnotificationcontentextension)
///
/// While a notification of one of the extension's categories is expanded, the phone runs the extension in a separate process.
///
/// Differs from iOS: touches do not reach the extension's views; the app's `AppBundle` declares the extension instead of an
/// Info.plist.
@MainActor @preconcurrency public protocol UNNotificationContentExtension: NSObjectProtocol {
    func didReceive(_ notification: UNNotification)
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void)
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
    var mediaPlayPauseButtonFrame: CGRect { get }
    var mediaPlayPauseButtonTintColor: UIColor { get }
    func mediaPlay()
    func mediaPause()
}

extension UNNotificationContentExtension {
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) { completion(.dismissAndForwardAction) }
    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .none }
    public var mediaPlayPauseButtonFrame: CGRect { .zero }
    public var mediaPlayPauseButtonTintColor: UIColor { .systemBlue }
    public func mediaPlay() {}
    public func mediaPause() {}
}

/// The kind of button that plays and pauses a content extension's film or sound.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
    case none = 0
    case `default` = 1
    case overlay = 2
}

/// The next step after a content extension has handled an action.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    case doNotDismiss = 0
    case dismiss = 1
    case dismissAndForwardAction = 2
}
