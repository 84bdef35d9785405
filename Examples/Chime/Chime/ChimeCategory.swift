import CarillonApp

/// The buttons of Chime's notifications: `"category": "NEWS_CATEGORY"` in a push chooses them.
enum ChimeCategory {
    static let view = "VIEW_ACTION"
    static let reply = "REPLY_ACTION"
    static let forget = "FORGET_ACTION"

    static let all = [
        NotificationCategory(
            identifier: "NEWS_CATEGORY",
            actions: [
                NotificationAction(identifier: view, title: "View", opensApp: true),
                NotificationAction(
                    identifier: reply, title: "Reply",
                    textInput: .init(button: "Send", placeholder: "What do you think?")),
                NotificationAction(identifier: forget, title: "Forget", isDestructive: true, needsUnlock: true),
            ])
    ]
}
