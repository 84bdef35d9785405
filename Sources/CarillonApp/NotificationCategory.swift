import UserNotifications

/// A button of a notification, as a value.
public struct NotificationAction: Sendable, Hashable {
    /// What a text action's field shows.
    public struct TextInput: Sendable, Hashable {
        public var button: String
        public var placeholder: String

        public init(button: String, placeholder: String) {
            self.button = button
            self.placeholder = placeholder
        }
    }

    /// What the app's handler is told; also the `detail` of the `acted` receipt.
    public var identifier: String
    public var title: String
    /// Opens the app. The default is `false`: it is carried out in the background.
    public var opensApp: Bool
    /// Drawn as a warning. The default is `false`.
    public var isDestructive: Bool
    /// Only after the phone was unlocked. The default is `false`.
    public var needsUnlock: Bool
    /// `nil`, the default, is a plain button.
    public var textInput: TextInput?

    public init(
        identifier: String, title: String, opensApp: Bool = false, isDestructive: Bool = false,
        needsUnlock: Bool = false, textInput: TextInput? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.opensApp = opensApp
        self.isDestructive = isDestructive
        self.needsUnlock = needsUnlock
        self.textInput = textInput
    }

    var action: UNNotificationAction {
        var options: UNNotificationActionOptions = []
        if opensApp { options.insert(.foreground) }
        if isDestructive { options.insert(.destructive) }
        if needsUnlock { options.insert(.authenticationRequired) }
        guard let textInput else {
            return UNNotificationAction(identifier: identifier, title: title, options: options)
        }
        return UNTextInputNotificationAction(
            identifier: identifier, title: title, options: options, textInputButtonTitle: textInput.button,
            textInputPlaceholder: textInput.placeholder)
    }
}

/// The buttons of a kind of notification; a push chooses it by `aps.category`.
public struct NotificationCategory: Sendable, Hashable {
    public var identifier: String
    public var actions: [NotificationAction]
    /// Whether iOS tells the app when such a notification is cleared, which becomes a `dismissed` receipt. The
    /// default is `true`. A banner that is flicked away is never reported.
    public var reportsDismissal: Bool

    public init(identifier: String, actions: [NotificationAction], reportsDismissal: Bool = true) {
        self.identifier = identifier
        self.actions = actions
        self.reportsDismissal = reportsDismissal
    }

    var category: UNNotificationCategory {
        UNNotificationCategory(
            identifier: identifier, actions: actions.map(\.action), intentIdentifiers: [],
            options: reportsDismissal ? [.customDismissAction] : [])
    }
}
