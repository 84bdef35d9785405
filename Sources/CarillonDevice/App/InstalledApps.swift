import Foundation
@_spi(Simulation) import UserNotifications

/// The installed apps of a phone, and the folder that contains their files.
@MainActor final class InstalledApps {
    private let phoneName: String
    /// The folder with the files of all apps.
    let folder: URL
    /// The `UserDefaults` of all apps.
    let preferences = PreferenceFiles()
    private var lastNumber = 0
    /// The installed apps in the order of their bundle IDs.
    ///
    /// They are searched one by one, because a phone has few apps, and a push asks for its app several times.
    private(set) var all: [InstalledApp] = []

    init(phoneName: String, folder: URL) {
        self.phoneName = phoneName
        self.folder = folder
    }

    /// The bundle IDs, in alphabetical order.
    var bundleIDs: [String] { all.map(\.bundle.bundleID) }

    subscript(bundleID: String) -> InstalledApp? {
        get { all.first { $0.bundle.bundleID == bundleID } }
        set {
            all.removeAll { $0.bundle.bundleID == bundleID }
            if let newValue { all.append(newValue) }
            all.sort { $0.bundle.bundleID < $1.bundle.bundleID }
        }
    }

    /// Returns an installed app.
    ///
    /// - Throws: ``PhoneError`` if the app is not installed.
    func installed(_ bundleID: String) throws(PhoneError) -> InstalledApp {
        guard let app = self[bundleID] else {
            let names = all.isEmpty ? "none" : bundleIDs.joined(separator: ", ")
            throw PhoneError(
                .unknownApp, "No app \(bundleID) is installed on \(phoneName). Install it first; installed: \(names).")
        }
        return app
    }

    /// Returns whether this installation is the current one: `false` after the app was deleted or updated.
    func has(_ app: InstalledApp) -> Bool { all.contains { $0 === app } }

    /// Makes a new installation of an app, without a process and without adding it to ``all``; the caller must add it.
    func new(_ bundle: AppBundle) -> InstalledApp {
        lastNumber += 1
        return InstalledApp(lastNumber, bundle: bundle, phone: folder, preferences: preferences)
    }

    /// Deletes the folders of an app; ignores missing folders.
    ///
    /// Keeps the folder of an App Group while another installed app belongs to the group.
    ///
    /// - Parameter app: an app that has already been removed from ``all``.
    func removeFiles(of app: InstalledApp) {
        remove(app.containers.own.deletingLastPathComponent())
        for folder in [app.place.folder, app.attachments.folder] { remove(folder) }
        let kept = all.reduce(into: Set<String>()) { $0.formUnion($1.bundle.appGroups) }
        for group in app.bundle.appGroups.subtracting(kept) { remove(app.containers.directory(appGroup: group)) }
    }

    /// Replaces the files of an app, and of its App Groups, by copies of another phone's.
    ///
    /// - Throws: the file manager's error.
    func copyFiles(of source: InstalledApp, to app: InstalledApp) throws {
        for group in [nil] + source.bundle.appGroups.map(Optional.some) {
            let target = app.containers.directory(appGroup: group)
            preferences.forget(below: target)
            try FileManager.default.removeItem(at: target)
            try FileManager.default.copyItem(at: source.containers.directory(appGroup: group), to: target)
        }
    }

    private func remove(_ folder: URL) {
        preferences.forget(below: folder)
        try? FileManager.default.removeItem(at: folder)
    }

    /// The folders of all installed apps and of their App Groups.
    var folders: [URL] {
        all.flatMap { app in
            [app.containers.own.deletingLastPathComponent()]
                + app.bundle.appGroups.sorted().map { app.containers.directory(appGroup: $0) }
        }
    }
}
