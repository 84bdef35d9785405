@_spi(Simulation) import UserNotifications

/// An app's permission to notify: the person's answer and the switches on the app's page in Settings.
struct Permission: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        /// The phone must ask the person.
        case prompt
        case answer(granted: Bool)
    }

    private(set) var status = UNAuthorizationStatus.notDetermined
    /// The options that the app requested when permission was granted.
    private(set) var options: UNAuthorizationOptions = []
    private(set) var switches = NotificationSwitches()
    /// The person's first answer to the permission prompt; `nil` until the person has answered.
    private(set) var firstAnswer: Bool?

    init() {}

    init(_ saved: SavedPermission) {
        status = UNAuthorizationStatus(rawValue: saved.status) ?? .notDetermined
        options = UNAuthorizationOptions(rawValue: saved.options)
        switches = NotificationSwitches(saved.switches)
        firstAnswer = saved.firstAnswer
    }

    /// Handles the app's request for permission: returns the answer, or that the phone must ask the person.
    mutating func requested(_ options: UNAuthorizationOptions, rules: PhoneRules) -> Outcome {
        let mayPrompt = status == .notDetermined || (!rules.keeps(.promptsOnce))
        guard mayPrompt else {
            // Asking for more than provisional permission is the only case in which iOS prompts later.
            if status == .provisional, !options.contains(.provisional) { return .prompt }
            self.options.formUnion(options)
            let granted = rules.laterRequestRepeatsFirstAnswer ? firstAnswer ?? isAllowed : status != .denied
            return .answer(granted: granted)
        }
        if options.contains(.provisional), rules.keeps(.provisionalIsQuiet) {
            status = .provisional
            self.options = options
            return .answer(granted: true)
        }
        return .prompt
    }

    /// Records the person's answer to the prompt.
    mutating func answered(allow: Bool, options: UNAuthorizationOptions) {
        status = allow ? .authorized : .denied
        if firstAnswer == nil { firstAnswer = allow }
        self.options = options
    }

    /// Sets Allow Notifications on the app's page in Settings → Notifications.
    ///
    /// An app that has asked neither for alerts nor for sounds nor for badges gets all three when its notifications are allowed.
    /// An example is an app that has asked for provisional permission alone.
    mutating func setAllowed(_ isAllowed: Bool) {
        let noticed: UNAuthorizationOptions = [.alert, .badge, .sound]
        let hasAskedForNone = options.isEmpty || status == .provisional && options.isDisjoint(with: noticed)
        status = isAllowed ? .authorized : .denied
        if isAllowed, hasAskedForNone { options.formUnion(noticed) }
    }

    mutating func change(_ edit: (inout NotificationSwitches) -> Void) { edit(&switches) }

    var isAllowed: Bool { status == .authorized || status == .provisional || status == .ephemeral }

    /// Returns the notification settings that the app sees.
    func settings(
        entitlements: Set<AppBundle.Entitlement>, rules: PhoneRules
    ) -> UNNotificationSettings.Values {
        let switches = rules.keeps(.settingsCount) ? switches : NotificationSwitches()
        var values = UNNotificationSettings.Values()
        values.authorizationStatus = status
        values.showPreviews = switches.previews
        values.providesAppNotificationSettings = options.contains(.providesAppNotificationSettings)
        guard status != .notDetermined else { return values }
        let isLoud = status != .provisional
        func setting(_ isAskedFor: Bool, _ isOn: Bool) -> UNNotificationSetting {
            guard isAskedFor else { return rules.keeps(.unaskedIsNotSupported) ? .notSupported : .disabled }
            return isAllowed && isOn ? .enabled : .disabled
        }
        values.alert = setting(options.contains(.alert), switches.banners && isLoud)
        values.sound = setting(options.contains(.sound), switches.sounds && isLoud)
        values.badge = setting(options.contains(.badge), switches.badges && isLoud)
        values.lockScreen = setting(options.contains(.alert), switches.lockScreen && isLoud)
        values.notificationCenter = setting(
            options.contains(.alert) || status == .provisional, switches.notificationCenter)
        values.criticalAlert = setting(
            options.contains(.criticalAlert) && entitlements.contains(.criticalAlerts), switches.criticalAlerts)
        values.timeSensitive = setting(entitlements.contains(.timeSensitive), switches.timeSensitive)
        values.scheduledDelivery = setting(true, switches.scheduledSummary)
        values.carPlay = setting(options.contains(.carPlay), true)
        values.alertStyle = values.alert == .enabled ? .banner : .none
        return values
    }
}
