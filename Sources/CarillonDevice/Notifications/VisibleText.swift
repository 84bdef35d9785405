import Foundation
import UserNotifications

/// The readable text of a notification: its own text, or a placeholder while previews are hidden.
public struct VisibleText: Sendable, Hashable, Codable {
    /// The title; the app's name while previews are hidden, unless the category shows the title.
    public var title: String
    /// The subtitle; empty while previews are hidden, unless the category shows the subtitle.
    public var subtitle: String
    /// The notification's text.
    ///
    /// While previews are hidden, it is the category's placeholder, or "Notification" if the category has none.
    public var body: String
    /// Whether previews are hidden now: always, or because the phone is locked.
    public var isHidden: Bool

    package init(title: String, subtitle: String, body: String, isHidden: Bool) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.isHidden = isHidden
    }
}

extension VisibleText {
    /// The placeholder for a hidden notification whose category has none of its own.
    static let hiddenBody = "Notification"

    /// Determines the readable text of a notification.
    ///
    /// - Parameters:
    ///   - content: the notification's content.
    ///   - category: the notification's category, if the app has declared it.
    ///   - previews: the setting Show Previews.
    ///   - isLocked: whether the phone is locked.
    ///   - appName: the name under the icon.
    ///   - threadCount: counts the notifications with this thread id, including this one; called only for a placeholder.
    init(
        of content: UNNotificationContent, category: UNNotificationCategory?, previews: UNShowPreviewsSetting,
        isLocked: Bool, appName: String, threadCount: () -> Int
    ) {
        isHidden = previews == .never || (previews == .whenAuthenticated && isLocked)
        guard isHidden else {
            (title, subtitle, body) = (content.title, content.subtitle, content.body)
            return
        }
        let options = category?.options ?? []
        title = options.contains(.hiddenPreviewsShowTitle) && !content.title.isEmpty ? content.title : appName
        subtitle = options.contains(.hiddenPreviewsShowSubtitle) ? content.subtitle : ""
        let placeholder = category?.hiddenPreviewsBodyPlaceholder ?? ""
        // developer.apple.com/documentation/usernotifications/unnotificationcategory/hiddenpreviewsbodyplaceholder
        body =
            placeholder.isEmpty
            ? Self.hiddenBody : placeholder.replacingOccurrences(of: "%u", with: String(threadCount()))
    }
}
