import Foundation
@_spi(Simulation) import UserNotifications

/// The apps on a phone, and where their files are.
@MainActor final class InstalledApps {
    private let phoneName: String
    /// The folder with the files of all apps.
    let folder: URL
    /// The settings of all apps.
    let preferences = PreferenceFiles()
    private var lastNumber = 0
    private var byID: [String: InstalledApp] = [:]
    /// The installed apps in the order of their bundle IDs.
    private(set) var all: [InstalledApp] = []

    init(phoneName: String, folder: URL) {
        self.phoneName = phoneName
        self.folder = folder
    }

    /// The bundle IDs, in alphabetical order.
    var bundleIDs: [String] { all.map(\.bundle.bundleID) }

    subscript(bundleID: String) -> InstalledApp? {
        get { byID[bundleID] }
        set {
            byID[bundleID] = newValue
            all = byID.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// - Throws: ``PhoneError`` for an app that is not installed.
    func installed(_ bundleID: String) throws(PhoneError) -> InstalledApp {
        guard let app = byID[bundleID] else {
            let names = byID.isEmpty ? "none" : bundleIDs.joined(separator: ", ")
            throw PhoneError(
                .unknownApp, "No app \(bundleID) is installed on \(phoneName). Install it first; installed: \(names).")
        }
        return app
    }

    /// Whether this very installation is still there: a deleted app may be back as another.
    func has(_ app: InstalledApp) -> Bool { byID[app.bundle.bundleID]?.number == app.number }

    /// Makes an installed app without a process and without a history.
    func new(_ bundle: AppBundle) -> InstalledApp {
        lastNumber += 1
        return InstalledApp(lastNumber, bundle: bundle, phone: folder, preferences: preferences)
    }

    /// Deletes the files of an app; a folder that was never made counts as deleted.
    ///
    /// - Parameter app: one that is no longer among the apps, whose App Groups go unless another has them.
    func removeFiles(of app: InstalledApp) {
        remove(app.containers.own.deletingLastPathComponent())
        for folder in [app.place.folder, app.attachments.folder] { remove(folder) }
        let kept = all.reduce(into: Set<String>()) { $0.formUnion($1.bundle.appGroups) }
        for group in app.bundle.appGroups.subtracting(kept) { remove(app.containers.directory(appGroup: group)) }
    }

    private func remove(_ folder: URL) {
        preferences.forget(below: folder)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Every folder with files of an app.
    var folders: [URL] {
        all.flatMap { app in
            [app.containers.own.deletingLastPathComponent()]
                + app.bundle.appGroups.sorted().map { app.containers.directory(appGroup: $0) }
        }
    }
}
