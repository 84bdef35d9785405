import Foundation
import UserNotifications

/// What of a notification can be read on the screen: its text, or what stands for it while previews are hidden.
public struct VisibleText: Sendable, Hashable, Codable {
    public var title: String
    public var subtitle: String
    public var body: String
    /// The text is held back: Show Previews is off, or only on for an unlocked phone and this one is locked.
    public var isHidden: Bool

    public init(title: String, subtitle: String, body: String, isHidden: Bool) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.isHidden = isHidden
    }
}

extension VisibleText {
    /// What iOS says of a hidden notification whose category has no words of its own.
    static let hiddenBody = "Notification"

    /// - Parameters:
    ///   - category: the notification's, if the app has declared it.
    ///   - threadCount: how many notifications have the same thread id, this one included.
    init(
        of content: UNNotificationContent, category: UNNotificationCategory?, previews: UNShowPreviewsSetting,
        isLocked: Bool, appName: String, threadCount: Int
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
            ? Self.hiddenBody : placeholder.replacingOccurrences(of: "%u", with: String(threadCount))
    }
}
