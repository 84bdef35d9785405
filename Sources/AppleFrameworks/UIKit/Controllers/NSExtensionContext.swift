import Foundation
@_spi(Simulation) import UserNotifications

/// The methods of the phone that an extension calls through its ``NSExtensionContext``.
@_spi(Simulation) @MainActor public protocol ExtensionContextBackend: AnyObject {
    /// The actions that the phone shows under the notification; `nil` means the actions of the notification's category.
    var notificationActions: [UNNotificationAction]? { get set }
    func performNotificationDefaultAction()
    func dismissNotificationContentExtension()
    func mediaPlaying(_ isPlaying: Bool)
}

/// An extension's connection to the system.
/// [NSExtensionContext](https://developer.apple.com/documentation/foundation/nsextensioncontext)
///
/// Differs from iOS: the class is part of UIKit, and has only the methods that UserNotificationsUI adds for content extensions.
@MainActor @preconcurrency public class NSExtensionContext: NSObject {
    @_spi(Simulation) public weak var backend: (any ExtensionContextBackend)?

    @_spi(Simulation) public init(backend: any ExtensionContextBackend) { self.backend = backend }
}
