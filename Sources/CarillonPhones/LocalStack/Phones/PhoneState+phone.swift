import CarillonCore
import CarillonDevice
import Foundation
import UserNotifications

extension PhoneState {
    /// Reads the current state of a phone.
    @MainActor
    init(
        _ phone: Phone, app pageApp: PageApp, tokens: PhoneTokens, installation: String?, isCenterOpen: Bool,
        soundCount: Int, seen: inout SeenNotifications
    ) {
        let bundle = pageApp.bundle
        id = phone.id
        name = phone.name
        now = phone.now
        width = phone.screen.shape.width
        height = phone.screen.shape.height
        safeArea = SafeArea(top: phone.screen.shape.safeAreaTop, bottom: phone.screen.shape.safeAreaBottom)
        screen = phone.isLocked ? .lock : phone.settings.isOpen ? .settings : phone.frontApp == nil ? .home : .app
        self.isCenterOpen = isCenterOpen
        isInAeroplaneMode = !phone.isOnline
        permission = phone.authorizationStatus(of: bundle.bundleID).word
        let running = phone.runningState(of: bundle.bundleID)
        app = App(
            id: pageApp.id, name: bundle.name, bundleID: bundle.bundleID, state: running.words,
            isForceQuit: running == .forceQuit,
            badge: phone.badge(of: bundle.bundleID), token: tokens.app?.hex,
            callToken: tokens.calls?.hex, startToken: tokens.start?.hex, activityToken: tokens.activity?.hex,
            installation: installation)
        calls = phone.calls.current.map(Call.init)
        activities = phone.activities.shown(of: bundle.bundleID).map(Activity.init)
        sheet = phone.permissionSheet.map(Sheet.init)
        authentication = phone.authenticationSheet.map(Sheet.init)
        settings = Settings(phone, bundle)
        isDark = phone.settings.isDarkModeOn
        region = PhoneRegionFacts(phone.settings.locale, timeZone: phone.timeZone)
        sound = phone.sounds.last.map { Sound(number: soundCount, name: $0.name) }
        banner = phone.banner.map { Notification($0.notification, on: phone, bundle.bundleID) }
        notifications = seen.notifications(of: bundle.bundleID, on: phone)
        view = phone.frontApp.flatMap { phone.screen.viewTree(of: $0) }?.withoutWhatIsOffScreen
    }

    /// Returns whether anything except the clock has changed.
    func differs(from earlier: PhoneState) -> Bool {
        var same = self
        same.now = earlier.now
        return same != earlier
    }
}

extension PhoneState.Call {
    init(_ call: PhoneCall) {
        id = call.id.uuidString
        name = call.name ?? call.handle ?? "Unknown"
        isVideo = call.hasVideo
        state =
            switch call.state {
            case .ringing: "ringing"
            case .connecting: "connecting"
            case .active: "active"
            case .ended: "ended"
            }
    }
}

extension PhoneState.Activity {
    init(_ activity: LiveActivity) {
        id = activity.id
        kind = activity.attributesType
        state = activity.state.rawValue
        title = activity.card?.title
        lines = activity.card?.lines ?? []
        progress = activity.card?.progress
        timerEnd = activity.card?.timerEnd
        values = activity.values.map { Value(name: $0.name, text: $0.text) }
    }
}

extension PhoneState.Sheet {
    /// Makes the permission sheet with iOS' own text.
    init(_ sheet: PermissionSheet) {
        switch sheet.question {
        case .notifications:
            title = "“\(sheet.appName)” Would Like to Send You Notifications"
            message =
                "Notifications may include alerts, sounds, and icon badges. These can be configured in Settings."
        case .criticalAlerts:
            title = "“\(sheet.appName)” Would Like to Send You Critical Alerts"
            message = "Critical Alerts always play a sound and appear on the Lock Screen even if your iPhone is muted."
        }
    }
}

extension PhoneState.Notification {
    @MainActor
    init(_ notification: UNNotification, on phone: Phone, _ bundleID: String) {
        let content = notification.request.content
        let text = try? phone.visibleText(of: notification, in: bundleID)
        id = notification.request.identifier
        title = text?.title ?? ""
        subtitle = text?.subtitle ?? ""
        body = text?.body ?? ""
        at = Timestamp(notification.date)
        thread = content.threadIdentifier
        level = Self.level(content.interruptionLevel, on: phone, bundleID).word
        actions = phone.actions(of: id, in: bundleID).map(Action.init)
        attachment = text?.isHidden == false ? AttachmentFile(notification)?.described(on: phone.id, of: id) : nil
    }
}

extension PhoneState.Notification {
    /// Returns the level that a phone gives a notification: a level that the app has no right to, or that the person has switched
    /// off, counts as `active`.
    @MainActor
    private static func level(
        _ wanted: UNNotificationInterruptionLevel, on phone: Phone, _ bundleID: String
    ) -> UNNotificationInterruptionLevel {
        let needed: NotificationSwitch
        switch wanted {
        case .timeSensitive: needed = .timeSensitive
        case .critical: needed = .criticalAlerts
        default: return wanted
        }
        let rows = (try? phone.settings.page(of: bundleID))?.rows ?? []
        return rows.contains { $0.item == needed && $0.isOn } ? wanted : .active
    }
}

extension PhoneState.Notification.Action {
    init(_ action: UNNotificationAction) {
        id = action.identifier
        title = action.title
        style = action.options.contains(.destructive) ? "destructive" : "default"
        text = (action as? UNTextInputNotificationAction).map {
            TextInput(button: $0.textInputButtonTitle, placeholder: $0.textInputPlaceholder)
        }
    }
}

extension RunningState {
    /// Whether the app has a process.
    var hasProcess: Bool { self != .notRunning && self != .forceQuit }

    /// The app's state in words, for the end of the sentence "Chime is …".
    fileprivate var words: String {
        switch self {
        case .notRunning: "not running"
        case .forceQuit: "force-quit"
        case .foregroundActive: "in the foreground"
        case .foregroundInactive: "inactive"
        case .background: "in the background"
        case .suspended: "suspended"
        }
    }
}

extension UNAuthorizationStatus {
    fileprivate var word: String {
        switch self {
        case .notDetermined: "not-determined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        @unknown default: "unknown"
        }
    }
}

extension UNNotificationInterruptionLevel {
    fileprivate var word: String {
        switch self {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "time-sensitive"
        case .critical: "critical"
        @unknown default: "active"
        }
    }
}
