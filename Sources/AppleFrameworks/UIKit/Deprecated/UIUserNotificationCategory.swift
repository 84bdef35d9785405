import Foundation

@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationActionOptions")
public enum UIUserNotificationActivationMode: UInt, Sendable {
    case foreground = 0
    case background = 1
}

@available(
    *, deprecated, message: "Use UserNotifications Framework's UNNotificationAction or UNTextInputNotificationAction"
)
public enum UIUserNotificationActionBehavior: UInt, Sendable {
    case `default` = 0
    case textInput = 1
}

@available(*, deprecated, message: "Use UserNotifications Framework's -[UNNotificationCategory actions]")
public enum UIUserNotificationActionContext: UInt, Sendable {
    case `default` = 0
    case minimal = 1
}

/// A button of a notification, in the form before iOS 10.
/// [UIUserNotificationAction](https://developer.apple.com/documentation/uikit/uiusernotificationaction)
@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationAction")
public class UIUserNotificationAction: NSObject {
    // `@unchecked`: only the mutable subclass can be changed; as on iOS, one thread at a time may use it.
    public internal(set) var identifier: String?
    public internal(set) var title: String?
    public internal(set) var behavior = UIUserNotificationActionBehavior.default
    public internal(set) var parameters: [AnyHashable: Any] = [:]
    public internal(set) var activationMode = UIUserNotificationActivationMode.foreground
    public internal(set) var isAuthenticationRequired = false
    public internal(set) var isDestructive = false

    var action: UNNotificationAction {
        var options: UNNotificationActionOptions = []
        if activationMode == .foreground { options.insert(.foreground) }
        // An action that opens the app requires an unlocked phone anyway.
        if isAuthenticationRequired || activationMode == .foreground { options.insert(.authenticationRequired) }
        if isDestructive { options.insert(.destructive) }
        let (identifier, title) = (identifier ?? "", title ?? "")
        guard behavior == .textInput else {
            return UNNotificationAction(identifier: identifier, title: title, options: options)
        }
        let button = parameters[UIUserNotificationTextInputActionButtonTitleKey] as? String ?? "Send"
        return UNTextInputNotificationAction(
            identifier: identifier, title: title, options: options, textInputButtonTitle: button,
            textInputPlaceholder: "")
    }
}

@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationAction")
public class UIMutableUserNotificationAction: UIUserNotificationAction {
    // `@unchecked` is inherited.
    public override var identifier: String? {
        get { super.identifier }
        set { super.identifier = newValue }
    }
    public override var title: String? {
        get { super.title }
        set { super.title = newValue }
    }
    public override var behavior: UIUserNotificationActionBehavior {
        get { super.behavior }
        set { super.behavior = newValue }
    }
    public override var parameters: [AnyHashable: Any] {
        get { super.parameters }
        set { super.parameters = newValue }
    }
    public override var activationMode: UIUserNotificationActivationMode {
        get { super.activationMode }
        set { super.activationMode = newValue }
    }
    public override var isAuthenticationRequired: Bool {
        get { super.isAuthenticationRequired }
        set { super.isAuthenticationRequired = newValue }
    }
    public override var isDestructive: Bool {
        get { super.isDestructive }
        set { super.isDestructive = newValue }
    }
}

/// The buttons of a notification category, in the form before iOS 10.
/// [UIUserNotificationCategory](https://developer.apple.com/documentation/uikit/uiusernotificationcategory)
@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationCategory")
public class UIUserNotificationCategory: NSObject {
    // `@unchecked`: only the mutable subclass can be changed; as on iOS, one thread at a time may use it.
    public internal(set) var identifier: String?
    var actions: [UIUserNotificationActionContext: [UIUserNotificationAction]] = [:]

    public func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? {
        actions[context]
    }

    var category: UNNotificationCategory {
        UNNotificationCategory(
            identifier: identifier ?? "", actions: (actions[.default] ?? []).map(\.action), intentIdentifiers: [])
    }
}

@available(*, deprecated, message: "Use UserNotifications Framework's UNNotificationCategory")
public class UIMutableUserNotificationCategory: UIUserNotificationCategory {
    // `@unchecked` is inherited.
    public override var identifier: String? {
        get { super.identifier }
        set { super.identifier = newValue }
    }

    public func setActions(_ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext) {
        self.actions[context] = actions
    }
}

/// The key of the title for the button beside the field of a text action.
@available(*, deprecated, message: "Use -[UNTextInputNotificationAction textInputButtonTitle]")
public let UIUserNotificationTextInputActionButtonTitleKey = "UIUserNotificationTextInputActionButtonTitleKey"
/// The key of the text that the person has typed into a text action.
@available(*, deprecated, message: "Use -[UNTextInputNotificationResponse userText]")
public let UIUserNotificationActionResponseTypedTextKey = "UIUserNotificationActionResponseTypedTextKey"
