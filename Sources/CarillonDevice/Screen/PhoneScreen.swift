import CarillonCore
import UserNotifications

/// The contents of the phone's screen, apart from the views of the app in front.
@MainActor final class PhoneScreen {
    /// An expanded notification.
    struct Expanded {
        let app: InstalledApp
        let notification: UNNotification
        /// The content extension that draws the notification; `nil` if there is none.
        let content: HostedContent?
    }

    private let kernel: PhoneKernel
    let shape: ScreenShape

    /// The bundle ID of the app in front; `nil` if the home screen or Settings is in front.
    ///
    /// An app that was in front when the phone was locked stays in front behind the lock screen.
    private(set) var frontApp: String?
    private(set) var isInSettings = false
    private(set) var interruption: Interruption?
    private(set) var permissionSheet: PermissionSheet?
    private(set) var authenticationSheet: AuthenticationSheet?
    private(set) var banner: Banner?
    private var lastBannerNumber = 0
    private var bannerTimer: ScheduledAction?
    private(set) var expansion: Expanded?

    init(kernel: PhoneKernel, shape: ScreenShape) {
        self.kernel = kernel
        self.shape = shape
    }

    // MARK: the app in front

    /// Returns whether the app is in front, and neither an ``Interruption`` nor the app's permission sheet covers it.
    func isUncovered(_ bundleID: String) -> Bool {
        frontApp == bundleID && interruption == nil && permissionSheet?.bundleID != bundleID
    }

    /// Shows an app, or with `nil` the home screen; closes Settings and ends an ``Interruption`` of the app in front.
    func show(app bundleID: String?) {
        frontApp = bundleID
        interruption = nil
        isInSettings = false
    }

    func showSettings() {
        frontApp = nil
        interruption = nil
        isInSettings = true
        kernel.changed(.screen)
    }

    func leaveSettings() {
        guard isInSettings else { return }
        isInSettings = false
        kernel.changed(.screen)
    }

    /// Removes everything that covers the app in front, because the phone was locked: an ``Interruption``, the expanded
    /// notification and the banner.
    ///
    /// The app in front stays in front.
    func lock() {
        interruption = nil
        collapse()
        hideBanner()
        kernel.changed(.screen)
    }

    func switchOff() {
        expansion = nil
        show(app: nil)
        permissionSheet = nil
        authenticationSheet = nil
        hideBanner()
    }

    /// Removes an app from the screen, with its permission sheet, after its process has ended.
    func left(by bundleID: String) {
        if permissionSheet?.bundleID == bundleID { permissionSheet = nil }
        if frontApp == bundleID { frontApp = nil }
    }

    /// Removes a deleted app from the screen, with its banner, expanded notification and sheets.
    func forget(_ app: InstalledApp) {
        let bundleID = app.bundle.bundleID
        left(by: bundleID)
        if banner?.bundleID == bundleID { hideBanner() }
        if expansion?.app === app { collapse() }
        if authenticationSheet?.bundleID == bundleID { closeAuthenticationSheet() }
    }

    // MARK: sheets and interruptions

    func cover(with new: Interruption?) {
        interruption = new
        kernel.changed(.screen)
    }

    func ask(_ sheet: PermissionSheet?) {
        permissionSheet = sheet
        kernel.changed(.screen)
    }

    func ask(_ sheet: AuthenticationSheet) {
        authenticationSheet = sheet
        kernel.changed(.screen)
    }

    func closeAuthenticationSheet() {
        guard authenticationSheet != nil else { return }
        authenticationSheet = nil
        kernel.changed(.screen)
    }

    // MARK: banner and long press

    /// Shows a new notification as a banner, which replaces the previous banner.
    func showBanner(_ notification: UNNotification, of bundleID: String) {
        lastBannerNumber += 1
        let number = lastBannerNumber
        banner = Banner(number: number, bundleID: bundleID, notification: notification, shownAt: kernel.now)
        bannerTimer?.cancel()
        bannerTimer = kernel.schedule(afterSeconds: kernel.rules.bannerSeconds) { [weak self] in
            // An expanded banner stays until it is closed.
            guard let self, let shown = banner, shown.number == number, expansion?.notification !== shown.notification
            else { return }
            hideBanner()
        }
        kernel.changed(.screen)
    }

    func hideBanner() {
        guard banner != nil else { return }
        banner = nil
        bannerTimer?.cancel()
        bannerTimer = nil
        kernel.changed(.screen)
    }

    func hideBanner(of notificationID: String) {
        if banner?.notification.request.identifier == notificationID { hideBanner() }
    }

    /// Removes the banner and the authentication sheet of notifications that were removed from the notification center.
    ///
    /// If `identifiers` is `nil`, all notifications of the app were removed.
    func removed(_ identifiers: [String]?, of bundleID: String) {
        func isGone(_ identifier: String) -> Bool { identifiers?.contains(identifier) ?? true }
        if let banner, banner.bundleID == bundleID, isGone(banner.notification.request.identifier) { hideBanner() }
        if let sheet = authenticationSheet, sheet.bundleID == bundleID, isGone(sheet.notificationID) {
            closeAuthenticationSheet()
        }
    }

    func expand(_ new: Expanded) { expansion = new }

    /// Closes the expanded notification: its content extension ends, and its banner disappears.
    func collapse() {
        guard let expansion else { return }
        self.expansion = nil
        if banner?.notification === expansion.notification { hideBanner() }
        expansion.content?.process.end()
        kernel.changed(.screen)
    }
}

/// A notification at the top of an unlocked screen; it disappears after 5 seconds, unless the person expands it.
public struct Banner: Sendable {
    /// The number of the banner, which distinguishes two banners of one notification on this phone.
    public let number: Int
    /// The bundle ID of the notification's app.
    public let bundleID: String
    /// The notification as the app receives it.
    public let notification: UNNotification
    /// The time at which the banner appeared, by the phone's clock.
    public let shownAt: Timestamp
}

/// A system interface that covers the app in front without sending it to the background.
public enum Interruption: String, Sendable, Hashable, Codable, CaseIterable {
    case incomingCall, controlCenter, notificationCenter, appSwitcher, siri
}

/// The system alert that asks whether an app may send notifications, or critical alerts.
public struct PermissionSheet: Sendable, Hashable {
    /// The kinds of permission that an alert asks for.
    public enum Question: String, Sendable, Hashable, Codable {
        case notifications
        /// Alerts that sound although the phone is muted (``PhoneRules/criticalAlertsHaveOwnQuestion``).
        case criticalAlerts
    }

    /// The bundle ID of the app that wants to send notifications.
    public let bundleID: String
    /// The app's name, as the alert shows it.
    public let appName: String
    /// The permission that the alert asks for.
    public let question: Question
}

/// The sheet on which the phone's owner must authenticate, because a notification's action requires it.
public struct AuthenticationSheet: Sendable, Hashable {
    /// The method by which the phone recognises its owner.
    public enum Method: String, Sendable, Hashable, Codable {
        case faceID = "Face ID"
        case touchID = "Touch ID"
    }

    /// The bundle ID of the notification's app.
    public let bundleID: String
    /// The identifier of the notification's request.
    public let notificationID: String
    /// The identifier of the action that waits for authentication.
    public let actionID: String
    /// The title of the action that waits for authentication.
    public let actionTitle: String
    /// The authentication method: Touch ID on a phone with a home button, and Face ID on any other phone.
    public let method: Method
    /// The text that the person has typed into a text action.
    let text: String?
}
