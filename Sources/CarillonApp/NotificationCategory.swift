import UserNotifications

/// The buttons of one kind of notification; a push selects it by `aps.category`.
public struct NotificationCategory: Sendable, Hashable {
    /// What `aps.category` of a push says.
    public var identifier: String
    /// The buttons, in the order in which iOS shows them.
    public var actions: [NotificationAction]
    /// Whether iOS tells the app when such a notification is cleared, which becomes a `dismissed` receipt.
    ///
    /// The default is `true`. A banner that is flicked away is never reported by iOS.
    public var reportsDismissal: Bool

    /// Makes a category.
    ///
    /// - Parameters:
    ///   - identifier: what `aps.category` of a push says.
    ///   - actions: the buttons, in order.
    ///   - reportsDismissal: the default is `true`.
    public init(identifier: String, actions: [NotificationAction], reportsDismissal: Bool = true) {
        self.identifier = identifier
        self.actions = actions
        self.reportsDismissal = reportsDismissal
    }

    /// The category in Apple's terms.
    var category: UNNotificationCategory {
        UNNotificationCategory(
            identifier: identifier, actions: actions.map(\.action), intentIdentifiers: [],
            options: reportsDismissal ? [.customDismissAction] : [])
    }
}
