import UserNotifications

/// The service extension: adds the pier, which the push carries as a number.
///
/// It is `nonisolated`, because new Xcode projects put every class on the main actor, and iOS calls an extension elsewhere.
nonisolated public final class NotificationService: UNNotificationServiceExtension {
    private var handler: ((UNNotificationContent) -> Void)?
    private var content: UNMutableNotificationContent?

    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        handler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content else { return contentHandler(request.content) }
        content.subtitle = "Pier \(content.userInfo["pier"] as? Int ?? 1)"
        contentHandler(content)
    }

    public override func serviceExtensionTimeWillExpire() {
        if let content { handler?(content) }
    }
}
