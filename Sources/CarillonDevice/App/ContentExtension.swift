import UIKit
import UserNotificationsUI

/// A notification content extension, as its Info.plist describes it: what is drawn when a person expands a notification
/// of one of its categories.
public struct ContentExtension: Sendable {
    public typealias Controller = UIViewController & UNNotificationContentExtension

    /// `UNNotificationExtensionCategory`.
    public var categories: Set<String>
    /// `UNNotificationExtensionInitialContentSizeRatio`: height by width, until the controller prefers another size. The
    /// default is 1.
    public var initialContentSizeRatio: Double
    /// `UNNotificationExtensionDefaultContentHidden`: the notification's text is not shown beside it. The default is
    /// `false`.
    public var hidesDefaultContent: Bool
    /// Called for every notification that is expanded, in a process of the extension's own.
    public var make: @MainActor @Sendable () -> any Controller

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
