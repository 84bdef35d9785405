import UserNotifications

public enum DepartureAction {
    public static let takeNext = "TAKE_NEXT"
    public static let ask = "ASK"
}

extension UNNotificationCategory {
    /// The buttons of the notification about a late departure.
    static var departure: UNNotificationCategory {
        UNNotificationCategory(
            identifier: "DEPARTURE",
            actions: [
                UNNotificationAction(identifier: DepartureAction.takeNext, title: "Take the next one", options: []),
                UNTextInputNotificationAction(
                    identifier: DepartureAction.ask, title: "Ask", options: [], textInputButtonTitle: "Send",
                    textInputPlaceholder: "Question"),
            ],
            intentIdentifiers: [], options: [])
    }
}
