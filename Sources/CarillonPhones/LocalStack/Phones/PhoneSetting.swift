import CarillonDevice

/// A switch of a simulated phone that the web page of `carillon up` can turn on or off.
enum PhoneSetting: Sendable, Equatable {
    case focus, silent, dark, backgroundRefresh, lowPower
    /// Whether the browser that shows the page is dark; the phone's appearance follows it until a person sets ``dark``.
    case browserDark
    /// A switch that makes the battery almost empty; a real iPhone has no such switch.
    case lowBattery
    /// The app's switch Live Activities.
    case liveActivities
    /// The app's switch Allow Notifications.
    case notifications
    /// One of the switches in the app's notification settings, below Allow Notifications.
    case notification(NotificationSwitch)
    case rule(PageRule)

    /// Finds a switch by its id in the page's requests; returns `nil` for an unknown id.
    ///
    /// - Parameter id: `focus`, `silent`, `dark`, `browser-dark`, `low-power`, `low-battery`, `background-refresh`,
    ///   `live-activities`, `notifications`, the raw value of a ``PageRule``, or ``NotificationSwitch/id``.
    init?(_ id: String) {
        switch id {
        case "focus": self = .focus
        case "silent": self = .silent
        case "dark": self = .dark
        case "browser-dark": self = .browserDark
        case "low-power": self = .lowPower
        case "low-battery": self = .lowBattery
        case "background-refresh": self = .backgroundRefresh
        case "live-activities": self = .liveActivities
        case "notifications": self = .notifications
        default:
            if let rule = PageRule(rawValue: id) {
                self = .rule(rule)
                return
            }
            guard let item = NotificationSwitch.allCases.first(where: { $0.id == id }) else { return nil }
            self = .notification(item)
        }
    }
}

extension NotificationSwitch {
    /// The switch's id in the page's requests: its title in lower case with hyphens, such as `lock-screen`.
    var id: String { rawValue.lowercased().replacing(" ", with: "-") }
}
