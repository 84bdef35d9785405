@_spi(Simulation) import UserNotifications

/// A phone's decision about a notification: the places where it is shown, its sound and its badge, and the reasons.
public struct Presentation: Sendable, Hashable, Codable {
    /// Whether the notification appears as a banner at the top of an unlocked screen.
    public var banner = false
    /// Whether the notification appears on the lock screen, which lights up.
    public var lockScreen = false
    /// Whether the notification is in the notification center.
    public var list = false
    /// Whether the notification stays in the notification center, without banner and sound, until the next scheduled summary.
    public var waitsForSummary = false
    /// The sound to play: a file in the app, or `default`; `nil` for none.
    public var sound: String?
    /// The new number on the app's icon.
    ///
    /// With `nil` the number stays. With -1, which only a local notification can have, the icon shows no number.
    public var badge: Int?
    /// The reasons why the phone shows the notification in this way or not at all, one sentence each without a full stop.
    ///
    /// The list is empty if no rule changed the presentation.
    public var why: [String] = []

    static let defaultSound = "default"

    /// The names of the places in which the phone shows the notification.
    package var places: [String] {
        [(banner, "banner"), (lockScreen, "lock screen"), (list, "list")].filter(\.0).map(\.1)
    }

    /// Whether the notification is visible anywhere.
    public var isShown: Bool { banner || lockScreen || list }
}

extension Presentation {
    static func decide(_ input: PresentationInput, rules: PhoneRules) -> Presentation {
        var shown = Presentation()
        guard allowed(input, rules, &shown) else { return shown }
        let complaint = input.unknownCategory.map { "the app has declared no category \($0)" }
        if let complaint, !rules.unknownCategoryIsShown {
            shown.why.append("not shown: \(complaint)")
            return shown
        }
        let options = foregroundOptions(input, rules, &shown)
        show(input, options, rules, &shown)
        quieten(input, rules, &shown)
        if let complaint { shown.why.append("\(complaint), so there are no buttons") }
        return shown
    }

    private static func allowed(_ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation) -> Bool {
        guard rules.keeps(.needsPermissionToShow) else { return true }
        switch input.settings.authorizationStatus {
        case .notDetermined:
            shown.why.append(
                input.isAskedForPermission
                    ? "not shown: the person has not answered yet whether the app may notify"
                    : "not shown: the person has not been asked for permission yet")
            return false
        case .denied:
            shown.why.append("not shown: the person does not allow notifications of this app")
            return false
        default: return true
        }
    }

    /// Returns the presentation options that the app allows in the foreground.
    ///
    /// - Returns: the options; `nil` if the app is not asked, so that everything is allowed.
    private static func foregroundOptions(
        _ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation
    ) -> UNNotificationPresentationOptions? {
        guard rules.keeps(.foregroundAsksTheApp) else { return nil }
        switch input.foreground {
        case .notInForeground: return nil
        case .answered(let options):
            let expanded = options.contains(.alert) ? options.union([.banner, .list]) : options
            shown.why.append(expanded.answerSentence)
            return expanded
        case .notImplemented:
            shown.why.append("not shown: the app is in the foreground, and the center's delegate has no willPresent")
            return []
        case .late:
            shown.why.append(
                "not shown: the app is in the foreground, and the completion handler of willPresent was not called "
                    + "within \(rules.willPresentSeconds) s")
            return []
        case .noDelegate:
            shown.why.append("the app is in the foreground and its notification center has no delegate")
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
                shown.why.append("permission is provisional: in the list only, without a sound")
            } else if !shown.isShown, options == nil {
                shown.why.append("not shown: alerts are switched off in Settings")
            }
        } else {
            shown.why.append("it has no text, so there is nothing to show")
        }
        if on(settings.sound), lets(.sound) { shown.sound = playable(input, rules, &shown) }
        if on(settings.badge), lets(.badge) { shown.badge = input.badge }
        if shown.badge == nil, !rules.keeps(.absentBadgeKeepsNumber), input.badge == nil { shown.badge = 0 }
    }

    /// Returns the requested sound, or the default sound if iOS does not play the file.
    private static func playable(
        _ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation
    ) -> String? {
        guard let name = input.soundName, name != defaultSound, rules.keeps(.unplayableSoundIsDefault),
            // No app has a file with an empty name, whether or not it says which files it has.
            let files = name.isEmpty ? [:] : input.soundFiles
        else { return input.soundName }
        guard let seconds = files[name] else {
            let file = name.isEmpty ? "without a name" : name
            shown.why.append("the default sound: the app has no sound file \(file)")
            return defaultSound
        }
        guard seconds <= IOSLimits.soundSeconds else {
            shown.why.append("the default sound: \(name) is longer than 30 seconds")
            return defaultSound
        }
        return name
    }

    /// Adapts `shown` to the notification's interruption level, a Focus, the scheduled summary and the silent switch.
    ///
    /// Each of them may suppress the banner, the lock-screen entry or the sound.
    private static func quieten(_ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation) {
        let isCritical = isCritical(input, rules)
        // Without the right to it, the level counts as `active`: https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel/timesensitive
        let isSensitive = input.level == .timeSensitive && input.settings.timeSensitive == .enabled
        if input.level == .passive, rules.keeps(.passiveIsQuiet) {
            (shown.banner, shown.lockScreen, shown.sound) = (false, false, nil)
            shown.why.append("passive: in the list only")
        }
        let breaksThrough = isCritical || isSensitive || isFromAllowedPerson(input, rules, &shown)
        if input.isFocusOn, !breaksThrough, rules.keeps(.focusHoldsBack) {
            (shown.banner, shown.lockScreen, shown.sound) = (false, false, nil)
            shown.why.append("a Focus is on: in the list only")
        }
        let isInSummary = input.settings.scheduledDelivery == .enabled && input.foreground == .notInForeground
        let isUrgent = isSensitive || isCritical || showsWhoSpeaks(input, rules)
        if isInSummary, shown.list, !isUrgent, rules.keeps(.summaryHoldsBack) {
            (shown.banner, shown.lockScreen, shown.sound) = (false, false, nil)
            shown.waitsForSummary = true
            shown.why.append("waits in the list for the scheduled summary")
        }
        if input.isMuted, !isCritical, shown.sound != nil {
            shown.sound = nil
            shown.why.append("no sound: the phone is muted")
        }
        if let refusal = refusedLevel(input, isCritical: isCritical) { shown.why.append(refusal) }
    }

    private static func wantsCritical(_ input: PresentationInput) -> Bool {
        input.level == .critical || input.isCriticalSound
    }

    private static func isCritical(_ input: PresentationInput, _ rules: PhoneRules) -> Bool {
        wantsCritical(input) && (input.settings.criticalAlert == .enabled || !rules.keeps(.criticalNeedsEntitlement))
    }

    /// Returns the reason why the notification's level has no effect; `nil` if the level has an effect.
    private static func refusedLevel(_ input: PresentationInput, isCritical: Bool) -> String? {
        if wantsCritical(input), !isCritical {
            return input.entitlements.contains(.criticalAlerts)
                ? "critical, but the person does not allow critical alerts: treated like any other"
                : "critical without the entitlement: treated like any other"
        }
        guard input.level == .timeSensitive, input.settings.timeSensitive != .enabled else { return nil }
        return input.entitlements.contains(.timeSensitive)
            ? "time-sensitive, but the person does not allow such notifications: treated like any other"
            : "time-sensitive without the entitlement: treated like any other"
    }
}

extension Presentation {
    /// Returns whether a communication notification breaks through a Focus, because the Focus allows its sender.
    private static func isFromAllowedPerson(
        _ input: PresentationInput, _ rules: PhoneRules, _ shown: inout Presentation
    ) -> Bool {
        let identifiers = input.communication?.senderIdentifiers ?? []
        guard input.isFocusOn, identifiers.contains(where: input.peopleAllowedInFocus.contains) else { return false }
        guard showsWhoSpeaks(input, rules) else {
            shown.why.append("from a person whom the Focus allows, but the app lacks the communication entitlement")
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
    /// The options' names, such as `banner, sound`; `nothing` if empty.
    var names: String {
        let all: [(Self, String)] = [
            (.badge, "badge"), (.sound, "sound"), (.list, "list"), (.banner, "banner"),
        ]
        let present = all.filter { contains($0.0) }.map(\.1)
        return present.isEmpty ? "nothing" : present.joined(separator: ", ")
    }

    /// The sentence of a trace about an app that has answered `willPresent` with these options.
    fileprivate var answerSentence: String {
        Self.answerSentences[Int(intersection(Self.all).rawValue)]
    }

    private static let all: Self = [.badge, .sound, .alert, .list, .banner]
    /// The sentence for each set of options, by the set's raw value; made once, because every push to an app in front needs one.
    private static let answerSentences = (0...all.rawValue).map {
        "the app is in the foreground and answered willPresent with \(Self(rawValue: $0).names)"
    }
}

/// The conditions that decide how a notification is shown.
struct PresentationInput: Sendable {
    var hasText: Bool
    var soundName: String?
    var isCriticalSound = false
    /// The lengths of the app's sound files in seconds; `nil` if the app's bundle does not describe them.
    var soundFiles: [String: Double]?
    var badge: Int?
    var level = UNNotificationInterruptionLevel.active
    var settings = UNNotificationSettings.Values()
    var entitlements: Set<AppBundle.Entitlement> = []
    var isLocked = false
    var isFocusOn = false
    var isMuted = false
    var foreground = Foreground.notInForeground
    /// Whether the permission sheet waits for the person's answer.
    var isAskedForPermission = false
    /// The sender and the recipients of a communication notification.
    var communication: Communication?
    var peopleAllowedInFocus: Set<String> = []
    /// The identifier of the notification's category, if the app has not declared that category; otherwise `nil`.
    var unknownCategory: String?

    /// The app's answer to `willPresent`, or the reason why there is none.
    enum Foreground: Sendable, Hashable {
        case notInForeground
        case answered(UNNotificationPresentationOptions)
        case noDelegate
        case notImplemented
        case late
    }
}
