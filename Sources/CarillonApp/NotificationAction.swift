import UserNotifications

/// A button of a notification, as a value.
public struct NotificationAction: Sendable, Hashable {
    /// The text field of an action that asks for an answer.
    public struct TextInput: Sendable, Hashable {
        /// The title of the button that sends the text.
        public var button: String
        /// What the empty field shows.
        public var placeholder: String

        /// Makes a text field.
        ///
        /// - Parameters:
        ///   - button: the title of the button that sends the text.
        ///   - placeholder: what the empty field shows.
        public init(button: String, placeholder: String) {
            self.button = button
            self.placeholder = placeholder
        }
    }

    /// What ``MessageResponse/Action/chose(_:)`` and the `detail` of the `acted` receipt name.
    public var identifier: String
    /// The button's title, already localized.
    public var title: String
    /// Whether the button brings the app to the foreground.
    ///
    /// The default is `false`: the action is carried out in the background.
    public var opensApp: Bool
    /// Whether the button is drawn as one that destroys something.
    ///
    /// The default is `false`.
    public var isDestructive: Bool
    /// Whether the phone must be unlocked first.
    ///
    /// The default is `false`.
    public var needsUnlock: Bool
    /// Whether choosing it means that the person has read the message, which then goes from their other devices too.
    ///
    /// The default is `true`. `false` suits an action such as "Remind me later".
    public var marksRead: Bool
    /// The text field that the button opens; `nil`, the default, for a plain button.
    public var textInput: TextInput?

    /// Makes a button.
    ///
    /// - Parameters:
    ///   - identifier: what the app is told; unique within its category.
    ///   - title: already localized.
    ///   - opensApp: the default is `false`.
    ///   - isDestructive: the default is `false`.
    ///   - needsUnlock: the default is `false`.
    ///   - marksRead: the default is `true`.
    ///   - textInput: the default is none.
    public init(
        identifier: String, title: String, opensApp: Bool = false, isDestructive: Bool = false,
        needsUnlock: Bool = false, marksRead: Bool = true, textInput: TextInput? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.opensApp = opensApp
        self.isDestructive = isDestructive
        self.needsUnlock = needsUnlock
        self.marksRead = marksRead
        self.textInput = textInput
    }

    /// The action in Apple's terms.
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
