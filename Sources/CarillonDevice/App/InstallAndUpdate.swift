import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// Installing, updating and deleting apps, and restoring a phone from a backup.
extension Phone {
    /// Installs an app; it does not run yet.
    ///
    /// An app with the same bundle ID is updated (rule 39): its notifications, categories, permission, settings and files
    /// stay, its process ends.
    public func install(_ bundle: AppBundle) {
        kernel.doingAtOnce(.install(bundle.bundleID)) { () -> Void in
            let app = apps.new(bundle)
            let old = apps[bundle.bundleID]
            if let old { life.end(old) }
            for part in parts { part.installed(app, updating: old) }
            apps[bundle.bundleID] = app
            // A program that ended while its phone was locked has left the files closed.
            if device.hasBeenUnlocked { for folder in apps.folders { ClosedFiles.open(folder) } }
            kernel.changed(.apps)
        }
    }

    /// Deletes an app with its files, notifications, badge and permission.
    ///
    /// Its device token becomes invalid (rule 7).
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
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

    /// The parts with a state for each app, in the order in which they are told of installed and deleted apps.
    private var parts: [any PartWithApps] { [device, life, background, connection, notifications, telephony, pushes] }

    /// Restores this phone from another phone's backup: apps, their files, permissions and badges.
    ///
    /// A backup contains no tokens and no notifications, and no app runs afterwards (rule 6).
    ///
    /// - Throws: the file manager's error.
    public func restore(from other: Phone) async throws {
        for bundleID in other.installedApps {
            guard let source = other.apps[bundleID] else { continue }
            install(source.bundle)
            let app = try apps.installed(bundleID)
            notifications.restoreFromBackup(other.notifications, source, to: app)
            try copy(source.containers.directory(appGroup: nil), to: app.containers.directory(appGroup: nil))
            for group in source.bundle.appGroups {
                try copy(
                    source.containers.directory(appGroup: group), to: app.containers.directory(appGroup: group))
            }
        }
        kernel.changed(.apps)
    }

    private func copy(_ source: URL, to target: URL) throws {
        let files = FileManager.default
        apps.preferences.forget(below: target)
        try files.removeItem(at: target)
        try files.copyItem(at: source, to: target)
    }
}

/// A part of the phone that has a state for each app, and decides which of it an update keeps.
@MainActor protocol PartWithApps: AnyObject {
    /// Prepares the state of an app that is installed or updated.
    ///
    /// - Parameters:
    ///   - app: the new installation.
    ///   - old: the installation that it updates; `nil` if there was none.
    func installed(_ app: InstalledApp, updating old: InstalledApp?)

    /// Forgets an app that was deleted.
    func deleted(_ app: InstalledApp)
}
