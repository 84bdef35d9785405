import UserNotifications

/// The app's page in Settings → Notifications, as the person sees it.
public struct NotificationSettingsPage: Sendable, Hashable {
    /// A switch, and whether it is on.
    public struct Row: Sendable, Hashable {
        /// The switch in this row of the page.
        public let item: NotificationSwitch
        /// Whether the switch in this row is on.
        public let isOn: Bool
    }

    /// Whether Allow Notifications, the topmost switch, is on.
    public let isAllowed: Bool
    /// The switches that the page shows below the switch "Allow Notifications", from top to bottom.
    ///
    /// The app's authorization options and entitlements decide which switches these are. The list is empty while notifications
    /// are not allowed.
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
    /// With provisional permission, the switches Banners, Sounds, Badges and Lock Screen are off. Turning on one of them
    /// allows the app's notifications and leaves the other three off; turning off one of them has no effect.
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
