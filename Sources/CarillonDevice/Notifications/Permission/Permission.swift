@_spi(Simulation) import UserNotifications

/// An app's permission to notify: the person's answer and the switches on the app's page in Settings.
struct Permission: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        /// The phone must show a permission sheet, so that the person decides.
        case prompt(PermissionSheet.Question)
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

    /// Handles the app's request for permission.
    ///
    /// - Returns: the answer for the app, or `prompt` if the phone must ask the person.
    mutating func requested(
        _ options: UNAuthorizationOptions, entitlements: Set<AppBundle.Entitlement>, rules: PhoneRules
    ) -> Outcome {
        let isCriticalOpen = isCriticalOpen(in: options, entitlements, rules)
        let plain = isCriticalOpen ? options.subtracting(.criticalAlert) : options
        if status == .notDetermined || !rules.keeps(.promptsOnce) {
            guard options.contains(.provisional), rules.keeps(.provisionalIsQuiet) else {
                return .prompt(.notifications)
            }
            status = .provisional
            self.options = plain
        } else if status == .provisional, !options.contains(.provisional) {
            // Asking for more than provisional permission is the only case in which iOS repeats its question.
            return .prompt(.notifications)
        } else {
            self.options.formUnion(plain)
        }
        if isCriticalOpen, isAllowed { return .prompt(.criticalAlerts) }
        return .answer(
            granted: rules.laterRequestRepeatsFirstAnswer ? firstAnswer ?? isAllowed : status != .denied)
    }

    /// Records the person's answer to a question.
    ///
    /// - Returns: the question that follows; `nil` if there is none.
    mutating func answered(
        _ question: PermissionSheet.Question, allow: Bool, options: UNAuthorizationOptions,
        entitlements: Set<AppBundle.Entitlement>, rules: PhoneRules
    ) -> PermissionSheet.Question? {
        guard question == .notifications else {
            self.options.insert(.criticalAlert)
            switches.criticalAlerts = allow
            return nil
        }
        let isCriticalOpen = isCriticalOpen(in: options, entitlements, rules)
        status = allow ? .authorized : .denied
        if firstAnswer == nil { firstAnswer = allow }
        self.options = isCriticalOpen ? options.subtracting(.criticalAlert) : options
        return isCriticalOpen && allow ? .criticalAlerts : nil
    }

    /// Returns whether the person must still be asked for critical alerts (``PhoneRules/criticalAlertsHaveOwnQuestion``).
    private func isCriticalOpen(
        in options: UNAuthorizationOptions, _ entitlements: Set<AppBundle.Entitlement>, _ rules: PhoneRules
    ) -> Bool {
        rules.criticalAlertsHaveOwnQuestion && entitlements.contains(.criticalAlerts)
            && options.contains(.criticalAlert) && !self.options.contains(.criticalAlert)
    }

    /// Sets Allow Notifications on the app's page in Settings → Notifications.
    ///
    /// If notifications are allowed for an app that has asked neither for alerts nor for sounds nor for badges, the app gets
    /// all three. An example is an app that has asked for provisional permission alone.
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
        // No app asks for it any more: https://developer.apple.com/documentation/usernotifications/unauthorizationoptions/announcement
        values.announcement = .disabled
        values.alertStyle = values.alert == .enabled ? .banner : .none
        return values
    }
}
