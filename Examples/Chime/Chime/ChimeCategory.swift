import UserNotifications

/// The buttons of Chime's notifications: a push chooses them by `"category": "NEWS_CATEGORY"`.
enum ChimeCategory {
    static let view = "VIEW_ACTION"
    static let reply = "REPLY_ACTION"
    static let forget = "FORGET_ACTION"

    static var all: Set<UNNotificationCategory> {
        [
            UNNotificationCategory(
                identifier: "NEWS_CATEGORY",
                actions: [
                    UNNotificationAction(identifier: view, title: "View", options: [.foreground]),
                    UNTextInputNotificationAction(
                        identifier: reply, title: "Reply", options: [], textInputButtonTitle: "Send",
                        textInputPlaceholder: "What do you think?"),
                    UNNotificationAction(
                        identifier: forget, title: "Forget", options: [.destructive, .authenticationRequired]),
                ],
                intentIdentifiers: [], options: [.customDismissAction])
        ]
    }
}
