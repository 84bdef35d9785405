import UserNotifications

/// The app's page in Settings → Notifications, as the person sees it.
public struct NotificationSettingsPage: Sendable, Hashable {
    /// A switch, and whether it is on.
    public struct Row: Sendable, Hashable {
        /// The switch.
        public let item: NotificationSwitch
        /// Whether the switch is on.
        public let isOn: Bool
    }

    /// Whether Allow Notifications, the topmost switch, is on.
    public let isAllowed: Bool
    /// The switches below Allow Notifications that the app's options and entitlements offer, in the order of the page.
    ///
    /// The list is empty while notifications are not allowed.
    public let rows: [Row]
    /// The setting of Show Previews; `nil` while notifications are not allowed, and for an app without alerts.
    public let previews: UNShowPreviewsSetting?
}

extension Permission {
    /// Returns the app's page in Settings.
    ///
    /// For an app with provisional permission, the switches Banners, Sounds, Badges and Lock Screen are off.
    func page(entitlements: Set<AppBundle.Entitlement>) -> NotificationSettingsPage {
        guard isAllowed else { return NotificationSettingsPage(isAllowed: false, rows: [], previews: nil) }
        let rows = NotificationSwitch.allCases.filter { offers($0, entitlements) }.map { item in
            let isHeldBack = status == .provisional && item.isNoticed
            return NotificationSettingsPage.Row(item: item, isOn: switches[item] && !isHeldBack)
        }
        let hasAlerts = options.contains(.alert) || status == .provisional
        return NotificationSettingsPage(isAllowed: true, rows: rows, previews: hasAlerts ? switches.previews : nil)
    }

    private func offers(_ item: NotificationSwitch, _ entitlements: Set<AppBundle.Entitlement>) -> Bool {
        switch item {
        case .timeSensitive: entitlements.contains(.timeSensitive)
        case .criticalAlerts: options.contains(.criticalAlert) && entitlements.contains(.criticalAlerts)
        case .scheduledSummary: true
        case .lockScreen, .banners: options.contains(.alert) || status == .provisional
        case .notificationCenter: options.contains(.alert) || status == .provisional
        case .sounds: options.contains(.sound)
        case .badges: options.contains(.badge)
        }
    }

    /// Sets a switch on the app's page in Settings.
    ///
    /// For an app with provisional permission, turning on Banners, Sounds, Badges or Lock Screen allows the app's
    /// notifications and turns off the other three. Turning off one of these four switches has no effect for such an app.
    mutating func set(_ item: NotificationSwitch, to isOn: Bool) {
        if status == .provisional, item.isNoticed {
            guard isOn else { return }
            for other in NotificationSwitch.allCases where other.isNoticed { change { $0[other] = false } }
            setAllowed(true)
        }
        change { $0[item] = isOn }
    }
}

extension NotificationSwitch {
    /// Whether the switch is one of Banners, Sounds, Badges and Lock Screen, which stay off with provisional permission.
    fileprivate var isNoticed: Bool {
        switch self {
        case .lockScreen, .banners, .sounds, .badges: true
        case .timeSensitive, .criticalAlerts, .scheduledSummary, .notificationCenter: false
        }
    }
}
