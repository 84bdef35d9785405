import CarillonDevice

/// A switch in a phone's Settings that the page can change, by its name in commands.
enum PhoneSetting: Sendable, Equatable {
    case focus, silent, dark, backgroundRefresh
    /// The app's switch "Allow Notifications".
    case notifications
    /// One of the switches below the app's notification settings.
    case notification(NotificationSwitch)

    /// Finds a switch by its name in commands.
    ///
    /// - Parameter id: `focus`, `silent`, `dark`, `background-refresh`, `notifications`, or a ``NotificationSwitch/id``.
    init?(_ id: String) {
        switch id {
        case "focus": self = .focus
        case "silent": self = .silent
        case "dark": self = .dark
        case "background-refresh": self = .backgroundRefresh
        case "notifications": self = .notifications
        default:
            guard let item = NotificationSwitch.allCases.first(where: { $0.id == id }) else { return nil }
            self = .notification(item)
        }
    }
}

extension NotificationSwitch {
    /// The name in commands: the switch's title in lower case with hyphens, such as `lock-screen`.
    var id: String { rawValue.lowercased().replacing(" ", with: "-") }
}
