import CarillonCore
import CarillonDevice
import Foundation
import UserNotifications

extension PhoneState {
    /// How a phone looks now.
    @MainActor
    init(_ phone: Phone, app bundle: AppBundle, installation: String?, isCentreOpen: Bool) {
        id = phone.id
        name = phone.name
        now = phone.now
        width = phone.screen.width
        height = phone.screen.height
        safeArea = SafeArea(top: phone.screen.safeAreaTop, bottom: phone.screen.safeAreaBottom)
        screen = phone.isLocked ? .lock : phone.frontApp == nil ? .home : .app
        self.isCentreOpen = isCentreOpen
        isInAeroplaneMode = !phone.isOnline
        permission = phone.authorizationStatus(of: bundle.bundleID).word
        let running = phone.runningState(of: bundle.bundleID)
        app = App(
            name: bundle.name, bundleID: bundle.bundleID, state: running.words, isForceQuit: running == .forceQuit,
            badge: phone.badge(of: bundle.bundleID), installation: installation)
        sheet = phone.permissionSheet.map(Sheet.init)
        let actions = { phone.actions(of: $0, in: bundle.bundleID) }
        banner = phone.banner.map { Notification($0.notification, actions: actions) }
        notifications = phone.deliveredNotifications(of: bundle.bundleID).map { Notification($0, actions: actions) }
        view = phone.frontApp.flatMap { phone.viewTree(of: $0) }
    }

    /// Whether more than the clock is different.
    func differs(from earlier: PhoneState) -> Bool {
        var same = self
        same.now = earlier.now
        return same != earlier
    }
}

extension PhoneState.Sheet {
    /// The words of iOS.
    init(_ sheet: PermissionSheet) {
        title = "“\(sheet.appName)” Would Like to Send You Notifications"
        message = "Notifications may include alerts, sounds, and icon badges. These can be configured in Settings."
    }
}

extension PhoneState.Notification {
    init(_ notification: UNNotification, actions: (String) -> [UNNotificationAction]) {
        let content = notification.request.content
        id = notification.request.identifier
        title = content.title
        subtitle = content.subtitle
        body = content.body
        at = Timestamp(notification.date)
        thread = content.threadIdentifier
        level = content.interruptionLevel.word
        self.actions = actions(id).map(Action.init)
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
    /// As it ends the sentence "Chime is …".
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
