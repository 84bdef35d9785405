import Foundation
import Synchronization

/// The user defaults that a simulated process sees: its own domain, App Groups and other named domains, and the registered
/// defaults.
@_spi(Simulation) public final class AppPreferences: Sendable {
    private struct Registered: @unchecked Sendable {  // `@unchecked`: under the lock only
        var values: [String: Any] = [:]
    }

    private let bundleID: String
    private let files: PreferenceFiles
    private let home: URL
    private let folderOfGroup: @Sendable (String) -> URL?
    private let registered = Mutex(Registered())
    private let isOver = Atomic<Bool>(false)

    /// Makes the settings that one simulated process of an app sees.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle ID, which names the file of its standard settings.
    ///   - files: the phone's files of settings.
    ///   - home: the process's container.
    ///   - folderOfGroup: returns the folder of an App Group; `nil` if the app does not belong to the group.
    public init(
        bundleID: String, files: PreferenceFiles, home: URL, folderOfGroup: @escaping @Sendable (String) -> URL?
    ) {
        self.bundleID = bundleID
        self.files = files
        self.home = home
        self.folderOfGroup = folderOfGroup
    }

    /// Ends the access of a simulated process to its settings; called when the phone has ended the process.
    ///
    /// Code of the process that still runs finds no stored settings, and its changes are lost.
    public func end() { isOver.store(true, ordering: .relaxed) }

    /// Returns whether a suite may have this name. The names of the app's own domain and of the global domain are not allowed.
    func allows(suite: String) -> Bool { suite != bundleID && suite != UserDefaults.globalDomain }

    /// Returns the file with the settings of the app, of an App Group, or of another suite.
    ///
    /// - Parameter suite: the name of the App Group or suite; `nil` means the app's own settings.
    func file(_ suite: String?) -> PreferenceFile {
        let folder = suite.flatMap(folderOfGroup) ?? home
        // The name may contain a slash.
        let name = (suite ?? bundleID).replacing("/", with: "_")
        let url = folder.appending(path: "Library/Preferences/\(name).plist")
        guard !isOver.load(ordering: .relaxed) else {
            let lost = PreferenceFile(url: url)
            lost.delete()
            return lost
        }
        return files.file(url)
    }

    func registered(_ key: String) -> Any? {
        let copy = registered.withLock { $0 }
        return copy.values[key]
    }

    var allRegistered: [String: Any] {
        let copy = registered.withLock { $0 }
        return copy.values
    }

    func register(_ values: [String: Any]) {
        let new = Registered(values: values)
        registered.withLock { $0.values.merge(new.values) { $1 } }
    }
}
