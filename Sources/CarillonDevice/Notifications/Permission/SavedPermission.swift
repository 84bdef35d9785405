@_spi(Simulation) import UserNotifications

/// A ``Permission`` in the form in which ``SwitchedOffAppState`` saves it.
struct SavedPermission: Codable, Sendable {
    struct Switches: Codable {
        let banners, sounds, badges, lockScreen, notificationCenter, timeSensitive, scheduledSummary: Bool
        /// The switch Critical Alerts; `nil` in a state that an older version saved.
        let criticalAlerts: Bool?
        let previews: Int
    }

    let status: Int
    let options: UInt
    let firstAnswer: Bool?
    let switches: Switches

    init(_ permission: Permission) {
        status = permission.status.rawValue
        options = permission.options.rawValue
        firstAnswer = permission.firstAnswer
        switches = Switches(permission.switches)
    }
}

extension SavedPermission.Switches {
    init(_ switches: NotificationSwitches) {
        banners = switches.banners
        sounds = switches.sounds
        badges = switches.badges
        lockScreen = switches.lockScreen
        notificationCenter = switches.notificationCenter
        timeSensitive = switches.timeSensitive
        scheduledSummary = switches.scheduledSummary
        criticalAlerts = switches.criticalAlerts
        previews = switches.previews.rawValue
    }
}

extension NotificationSwitches {
    init(_ saved: SavedPermission.Switches) {
        self.init()
        banners = saved.banners
        sounds = saved.sounds
        badges = saved.badges
        lockScreen = saved.lockScreen
        notificationCenter = saved.notificationCenter
        timeSensitive = saved.timeSensitive
        scheduledSummary = saved.scheduledSummary
        criticalAlerts = saved.criticalAlerts ?? criticalAlerts
        previews = UNShowPreviewsSetting(rawValue: saved.previews) ?? previews
    }
}

extension NotificationSwitches: Codable {
    /// Decodes the switches from the form in which ``encode(to:)`` writes them.
    public init(from decoder: any Decoder) throws { self.init(try SavedPermission.Switches(from: decoder)) }

    /// Encodes the switches, each under its name.
    public func encode(to encoder: any Encoder) throws { try SavedPermission.Switches(self).encode(to: encoder) }
}
