import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The methods of a phone that install, update and delete apps, and restore the phone from a backup.
extension Phone {
    /// Installs an app, without launching it.
    ///
    /// If an app with this bundle ID is already installed, the phone updates it (``PhoneRule/updateKeepsSettings``). An update
    /// ends the app's process, but keeps the app's notifications, categories, permission, settings and files.
    public func install(_ bundle: AppBundle) {
        kernel.doingAtOnce(.install(bundle.bundleID)) { () -> Void in
            let app = apps.new(bundle)
            let old = apps[bundle.bundleID]
            if let old { life.end(old) }
            for part in parts { part.installed(app, updating: old) }
            apps[bundle.bundleID] = app
            // If an earlier run of the program ended while its phone was locked, the files are still unreadable.
            if device.hasBeenUnlocked { for folder in apps.folders { ClosedFiles.open(folder) } }
            kernel.changed(.apps)
        }
    }

    /// Deletes an app with its files, notifications, badge and permission.
    ///
    /// The app's device token becomes invalid (``PhoneRule/deletedTokenIsInvalid``).
    ///
    /// - Throws: ``PhoneError`` if the app is not installed.
    public func uninstall(_ bundleID: String) async throws {
        try await kernel.doing(.uninstall(bundleID)) { () async throws -> Void in
            let app = try apps.installed(bundleID)
            let tokens = connection.tokens(of: app)
            life.end(app)
            apps[bundleID] = nil
            screenState.forget(app)
            apps.removeFiles(of: app)
            for part in parts { part.deleted(app) }
            kernel.changed(.apps)
            await connection.invalidate(tokens)
        }
    }

    /// The parts of this phone that keep a state for each app, in the order in which the phone calls them after installing or
    /// deleting an app.
    private var parts: [any PartWithApps] {
        [device, life, background, connection, notifications, telephony, liveActivities, pushes] + pushes.receivers
    }

    /// Restores this phone from another phone's backup: apps, their files, permissions and badges.
    ///
    /// A backup contains no tokens (``PhoneRule/newTokenAfterReinstall``) and no notifications. The restored apps are not
    /// launched.
    ///
    /// - Throws: the file manager's error if an app's files cannot be replaced.
    public func restore(from other: Phone) async throws {
        for bundleID in other.installedApps {
            guard let source = other.apps[bundleID] else { continue }
            install(source.bundle)
            let app = try apps.installed(bundleID)
            notifications.restoreFromBackup(other.notifications, source, to: app)
            try apps.copyFiles(of: source, to: app)
        }
        kernel.changed(.apps)
    }
}

/// A part of the phone that keeps a state for each app, and decides how much of that state an update preserves.
@MainActor protocol PartWithApps: AnyObject {
    /// Prepares the state of an app that is installed or updated.
    ///
    /// - Parameters:
    ///   - app: the new installation.
    ///   - old: the installation that the new one replaces; `nil` if there was none.
    func installed(_ app: InstalledApp, updating old: InstalledApp?)

    /// Forgets an app that was deleted.
    func deleted(_ app: InstalledApp)
}
