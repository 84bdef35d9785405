@_spi(Simulation) import UserNotifications

/// Where and how a notification is shown, and why so.
public struct Presentation: Sendable, Hashable, Codable {
    /// At the top of an unlocked screen.
    public var banner = false
    /// On the lock screen, which lights up.
    public var lockScreen = false
    /// In the notification center, to be found later.
    public var list = false
    /// It is in the list, and comes up with the next scheduled summary.
    public var waitsForSummary = false
    /// What is heard; `nil` for nothing.
    public var sound: String?
    /// The icon's new number; `nil` leaves it as it is.
    public var badge: Int?
    /// The reasons, one sentence each.
    public var why: [String] = []

    public var isShown: Bool { banner || lockScreen || list }
}

/// Everything that bears on how a notification is shown.
struct PresentationInput: Sendable {
    var hasText: Bool
    var soundName: String?
    var isCriticalSound = false
    var badge: Int?
    var level = UNNotificationInterruptionLevel.active
    var settings = UNNotificationSettings.Values()
    var entitlements: Set<AppBundle.Entitlement> = []
    var isLocked = false
    var isFocusOn = false
    var isMuted = false
    var foreground = Foreground.notInForeground
    /// Who speaks, in a communication notification.
    var communication: Communication?
    var peopleAllowedInFocus: Set<String> = []
    /// The notification's category, if the app has declared none of that name.
    var unknownCategory: String?

    /// What the app said, if it was asked.
    enum Foreground: Sendable, Hashable {
        case notInForeground
        case answered(UNNotificationPresentationOptions)
        case noDelegate
        case notImplemented
        case late
    }
}

extension Presentation {
    static func decide(_ input: PresentationInput, rules: PhoneRules) -> Presentation {
        var shown = Presentation()
        guard allowed(input, rules, &shown) else { return shown }
        let complaint = input.unknownCategory.map { "the app has declared no category \($0)" }
        if let complaint, !rules.unknownCategoryIsShown {
            shown.why.append("not shown: \(complaint) (rule 13)")
            return shown
        }
        let options = foregroundOptions(input, rules, &shown)
        show(input, options, rules, &shown)
        quieten(input, rules, &shown)
        if let complaint { shown.why.append("\(complaint), so it has no buttons (rule 13)") }
        return shown
    }

    private static func allowed(_ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation) -> Bool {
        guard rules.keeps(.needsPermissionToShow) else { return true }
        switch input.settings.authorizationStatus {
        case .notDetermined:
            shown.why.append("not shown: the person has not been asked for permission yet (rule 5)")
            return false
        case .denied:
            shown.why.append("not shown: the person does not allow notifications of this app (rule 5)")
            return false
        default: return true
        }
    }

    /// What the app lets through; `nil` when it was not asked, which lets everything through.
    private static func foregroundOptions(
        _ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation
    ) -> UNNotificationPresentationOptions? {
        guard rules.keeps(.foregroundAsksTheApp) else { return nil }
        switch input.foreground {
        case .notInForeground: return nil
        case .answered(let options):
            let expanded = options.contains(.alert) ? options.union([.banner, .list]) : options
            shown.why.append("the app is in the foreground and answered willPresent with \(expanded.names) (rule 8)")
            return expanded
        case .notImplemented:
            shown.why.append("the app is in the foreground and its delegate has no willPresent: not shown (rule 8)")
            return []
        case .late:
            shown.why.append(
                "the app is in the foreground and did not answer willPresent within \(rules.willPresentSeconds) s: "
                    + "not shown (rule 8)")
            return []
        case .noDelegate:
            shown.why.append("the app is in the foreground and has no notification-center delegate (rule 9)")
            return rules.foregroundWithoutDelegate
        }
    }

    private static func show(
        _ input: PresentationInput, _ options: UNNotificationPresentationOptions?, _ rules: PhoneRules,
        _ shown: inout Presentation
    ) {
        let settings = input.settings
        let isIgnored = !rules.keeps(.needsPermissionToShow) && !settings.isAnythingAllowed
        func lets(_ option: UNNotificationPresentationOptions) -> Bool { options?.contains(option) ?? true }
        func on(_ setting: UNNotificationSetting) -> Bool { setting == .enabled || isIgnored }
        if input.hasText {
            shown.list = on(settings.notificationCenter) && lets(.list)
            shown.lockScreen = input.isLocked && on(settings.lockScreen)
            shown.banner = !input.isLocked && on(settings.alert) && lets(.banner)
            if settings.authorizationStatus == .provisional {
                shown.why.append("permission is provisional: it goes to the list only, without a sound (rule 3)")
            } else if !shown.isShown, options == nil {
                shown.why.append("not shown: alerts are switched off in Settings (rule 4)")
            }
        } else {
            shown.why.append("it has no text, so there is nothing to show")
        }
        if on(settings.sound), lets(.sound) { shown.sound = input.soundName }
        if on(settings.badge), lets(.badge) { shown.badge = input.badge }
        if shown.badge == nil, !rules.keeps(.absentBadgeKeepsNumber), input.badge == nil { shown.badge = 0 }
    }

    /// What the notification's level and the phone's switches take away again.
    private static func quieten(_ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation) {
        let isEntitled = input.entitlements.contains(.criticalAlerts) || !rules.keeps(.criticalNeedsEntitlement)
        let isCritical = (input.level == .critical || input.isCriticalSound) && isEntitled
        if input.level == .passive, rules.keeps(.passiveIsQuiet) {
            (shown.banner, shown.lockScreen, shown.sound) = (false, false, nil)
            shown.why.append("passive: in the list only (rule 29)")
        }
        let breaksThrough =
            isCritical || (input.level == .timeSensitive && input.settings.timeSensitive == .enabled)
            || isFromAllowedPerson(input, rules, &shown)
        if input.isFocusOn, !breaksThrough, rules.keeps(.focusHoldsBack) {
            (shown.banner, shown.lockScreen, shown.sound) = (false, false, nil)
            shown.why.append("a Focus is on: in the list only (rule 29)")
        }
        let isInSummary = input.settings.scheduledDelivery == .enabled && input.foreground == .notInForeground
        let isUrgent = input.level == .timeSensitive || isCritical || showsWhoSpeaks(input, rules)
        if isInSummary, shown.list, !isUrgent, rules.keeps(.summaryHoldsBack) {
            (shown.banner, shown.lockScreen, shown.sound) = (false, false, nil)
            shown.waitsForSummary = true
            shown.why.append("waits in the list for the scheduled summary (rule 29)")
        }
        if input.isMuted, !isCritical, shown.sound != nil {
            shown.sound = nil
            shown.why.append("the phone is muted")
        }
        if (input.level == .critical || input.isCriticalSound) && !isEntitled {
            shown.why.append("critical without the entitlement: treated like any other (rule 29)")
        }
    }
}

extension Presentation {
    /// Communication notifications of people whom the Focus allows break through it.
    private static func isFromAllowedPerson(
        _ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation
    ) -> Bool {
        let identifiers = input.communication?.senderIdentifiers ?? []
        guard input.isFocusOn, identifiers.contains(where: input.peopleAllowedInFocus.contains) else { return false }
        guard showsWhoSpeaks(input, rules) else {
            shown.why.append("a message of an allowed person, but the app lacks the communication entitlement")
            return false
        }
        shown.why.append("from a person whom the Focus allows")
        return true
    }

    private static func showsWhoSpeaks(_ input: PresentationInput, _ rules: PhoneRules) -> Bool {
        let isEntitled = input.entitlements.contains(.communication) || !rules.keeps(.communicationNeedsEntitlement)
        return input.communication != nil && isEntitled
    }
}

extension UNNotificationSettings.Values {
    fileprivate var isAnythingAllowed: Bool {
        authorizationStatus != .notDetermined && authorizationStatus != .denied
    }
}

extension UNNotificationPresentationOptions {
    /// `banner, sound`; `nothing` when empty.
    var names: String {
        let all: [(Self, String)] = [
            (.badge, "badge"), (.sound, "sound"), (.list, "list"), (.banner, "banner"),
        ]
        let present = all.filter { contains($0.0) }.map(\.1)
        return present.isEmpty ? "nothing" : present.joined(separator: ", ")
    }
}
