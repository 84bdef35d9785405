import UIKit
import UserNotificationsUI

/// A notification content extension, as its Info.plist describes it.
///
/// The extension draws the view of an expanded notification if ``categories`` contains the notification's category.
public struct ContentExtension: Sendable {
    /// The type of the extension's principal class: a view controller that adopts `UNNotificationContentExtension`.
    public typealias Controller = UIViewController & UNNotificationContentExtension

    /// The categories whose notifications the extension draws: `UNNotificationExtensionCategory`.
    public var categories: Set<String>
    /// The ratio of the view's height to its width, until the controller sets a preferred size.
    ///
    /// This is `UNNotificationExtensionInitialContentSizeRatio` of Info.plist. The default is 1.
    public var initialContentSizeRatio: Double
    /// Whether the notification's own text is hidden: `UNNotificationExtensionDefaultContentHidden`.
    ///
    /// The default is `false`.
    public var hidesDefaultContent: Bool
    /// Makes the view controller for each expanded notification, in a separate process of the extension.
    public var make: @MainActor @Sendable () -> any Controller

    /// Makes a content extension from the values of its Info.plist and its principal class.
    ///
    /// - Parameters:
    ///   - categories: the categories whose notifications the extension draws.
    ///   - initialContentSizeRatio: the ratio of the view's height to its width; the default is 1.
    ///   - hidesDefaultContent: whether the notification's own text is hidden; the default is `false`.
    ///   - make: makes the view controller.
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
