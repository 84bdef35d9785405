import CarillonCore
import Foundation

extension Phone {
    /// Installs an app; it does not run yet.
    ///
    /// An app with the same bundle ID is updated: its notifications, permission and files stay, its process ends.
    public func install(_ bundle: AppBundle) {
        let folder = folder.appending(path: "Apps", directoryHint: .isDirectory)
            .appending(path: Containers.fileName(bundle.bundleID), directoryHint: .isDirectory)
        let app = InstalledApp(
            bundle: bundle, folder: folder, groups: self.folder.appending(path: "Groups", directoryHint: .isDirectory))
        if let old = apps[bundle.bundleID] {
            end(old)
            app.permission = old.permission
            app.list = old.list
            app.badge = old.badge
            app.token = old.token
            app.isRegistered = old.isRegistered
            app.shortcutItems = old.shortcutItems
            app.sceneSession = old.sceneSession
            app.discardedScenes = old.discardedScenes
        }
        apps[bundle.bundleID] = app
        // A program that ended while its phone was locked has left them closed.
        if hasBeenUnlocked { openFiles() }
        changed(.apps)
    }

    /// Deletes an app with everything it had: files, notifications, badge, permission.
    ///
    /// Its device token is no longer valid (rule 7).
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func uninstall(_ bundleID: String) async throws {
        let app = try installed(bundleID)
        end(app)
        apps[bundleID] = nil
        if frontApp == bundleID { frontApp = nil }
        if banner?.bundleID == bundleID { hideBanner() }
        if permissionSheet?.bundleID == bundleID { permissionSheet = nil }
        if expansion?.app === app { collapse() }
        if authenticationSheet?.bundleID == bundleID { closeAuthenticationSheet() }
        removeFiles(of: app)
        rescheduleDue()
        changed(.apps)
        guard rules.keeps(.newTokenAfterReinstall), rules.keeps(.deletedTokenIsInvalid), let token = app.token else {
            return
        }
        await link?.invalidate(token)
    }

    /// A folder that was never made cannot be deleted, which is as good as deleted.
    private func removeFiles(of app: InstalledApp) {
        try? FileManager.default.removeItem(at: app.containers.own.deletingLastPathComponent())
        let kept = apps.values.reduce(into: Set<String>()) { $0.formUnion($1.bundle.appGroups) }
        for group in app.bundle.appGroups.subtracting(kept) {
            try? FileManager.default.removeItem(at: app.containers.directory(appGroup: group))
        }
    }

    /// Ends the app's process, if it has one.
    func end(_ app: InstalledApp) {
        guard let process = app.process else { return }
        process.end()
        app.process = nil
        app.permissionWaiters = []
        if permissionSheet?.bundleID == app.bundle.bundleID { permissionSheet = nil }
        if frontApp == app.bundle.bundleID { frontApp = nil }
        changed(.lifeCycle(bundleID: app.bundle.bundleID))
        changed(.screen)
    }
}
