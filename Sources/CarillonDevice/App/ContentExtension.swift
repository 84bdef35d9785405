import UIKit
import UserNotificationsUI

/// A notification content extension, as its Info.plist describes it.
///
/// It draws the view of an expanded notification whose category it lists.
public struct ContentExtension: Sendable {
    /// The extension's principal class.
    public typealias Controller = UIViewController & UNNotificationContentExtension

    /// The categories whose notifications it draws: `UNNotificationExtensionCategory`.
    public var categories: Set<String>
    /// The ratio of height to width, until the controller prefers a size: `UNNotificationExtensionInitialContentSizeRatio`.
    ///
    /// The default is 1.
    public var initialContentSizeRatio: Double
    /// Whether the notification's own text is hidden: `UNNotificationExtensionDefaultContentHidden`.
    ///
    /// The default is `false`.
    public var hidesDefaultContent: Bool
    /// Makes the controller, for every expanded notification, in a process of the extension's own.
    public var make: @MainActor @Sendable () -> any Controller

    /// - Parameters:
    ///   - categories: the categories that it draws.
    ///   - initialContentSizeRatio: height by width; the default is 1.
    ///   - hidesDefaultContent: whether the notification's own text is hidden; the default is `false`.
    ///   - make: makes the controller.
    public init(
        categories: Set<String>, initialContentSizeRatio: Double = 1, hidesDefaultContent: Bool = false,
        make: @escaping @MainActor @Sendable () -> any Controller
    ) {
        self.categories = categories
        self.initialContentSizeRatio = initialContentSizeRatio
        self.hidesDefaultContent = hidesDefaultContent
        self.make = make
    }
}
