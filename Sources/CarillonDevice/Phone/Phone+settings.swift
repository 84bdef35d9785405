import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

extension Phone {
    /// Changes switches on the app's page in Settings (rule 4); they count from the next notification on.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func changeSettings(
        of bundleID: String, _ edit: (inout NotificationSwitches) -> Void
    ) throws(PhoneError) {
        let app = try installed(bundleID)
        app.permission.change(edit)
        changed(.permission(bundleID: bundleID))
    }

    /// The app's page in Settings → Notifications.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func settingsPage(of bundleID: String) throws(PhoneError) -> NotificationSettingsPage {
        let app = try installed(bundleID)
        return app.permission.page(entitlements: app.bundle.entitlements)
    }

    /// Turns a switch on that page on or off; it counts from the next notification on.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func set(_ item: NotificationSwitch, to isOn: Bool, for bundleID: String) throws(PhoneError) {
        try installed(bundleID).permission.set(item, to: isOn)
        changed(.permission(bundleID: bundleID))
    }

    /// Opens the Settings app: the app that was in front goes to the background.
    ///
    /// - Throws: ``PhoneError``: off or locked.
    public func openSettings() async throws(PhoneError) {
        try checkUsable()
        hideBanner()
        interruption = nil
        let front = frontApp.flatMap { apps[$0] }
        frontApp = nil
        isInSettings = true
        changed(.screen)
        if let front { await sendToBack(front) }
    }

    /// Whether Background App Refresh is on for the app; see ``setBackgroundRefresh(_:for:)``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func isBackgroundRefreshOn(for bundleID: String) throws(PhoneError) -> Bool {
        try installed(bundleID).isBackgroundRefreshOn
    }

    /// The app's own folder, or that of one of its App Groups; `nil` for an app that is not installed.
    public func containerFolder(of bundleID: String, appGroup: String? = nil) -> URL? {
        apps[bundleID]?.containers.directory(appGroup: appGroup)
    }

    /// Sets this phone up from another one's backup: apps, their files, permissions and badges.
    ///
    /// Tokens and notifications do not come along, and no app runs (rule 6).
    ///
    /// - Throws: the file manager's error.
    public func restore(from other: Phone) async throws {
        for bundleID in other.installedApps {
            guard let source = other.app(bundleID) else { continue }
            install(source.bundle)
            let app = try installed(bundleID)
            app.permission = source.permission
            app.badge = source.badge
            try copy(source.containers.directory(appGroup: nil), to: app.containers.directory(appGroup: nil))
            for group in source.bundle.appGroups {
                try copy(
                    source.containers.directory(appGroup: group), to: app.containers.directory(appGroup: group))
            }
        }
        changed(.apps)
    }

    private func copy(_ source: URL, to target: URL) throws {
        let files = FileManager.default
        try files.removeItem(at: target)
        try files.copyItem(at: source, to: target)
    }
}
