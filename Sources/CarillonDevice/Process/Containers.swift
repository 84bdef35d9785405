import Foundation
@_spi(Simulation) import UserNotifications

/// The folders of a simulated process: its own folder, and the folders of its App Groups.
///
/// The phone deletes them together with the app; an App Group's folder stays while another app uses the group.
struct Containers: Sendable {
    /// The process's own folder.
    let own: URL
    /// The parent folder of the App Groups' folders.
    let groups: URL
    let appGroups: Set<String>
    /// The files in which the phone stores the `UserDefaults` of its apps.
    let preferences: PreferenceFiles

    /// Returns the folder of an App Group, or with `nil` the process's own folder; creates the folder at its first use.
    ///
    /// For an App Group that the app does not belong to, the result is the process's own folder. So a misspelt name gives no
    /// access to the files of other apps.
    func directory(appGroup: String?) -> URL {
        let folder =
            if let appGroup, appGroups.contains(appGroup) {
                groups.appending(path: Self.fileName(appGroup), directoryHint: .isDirectory)
            } else {
                own
            }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Makes a file name from any text, without characters that could lead out of the file's folder.
    static func fileName(_ name: String) -> String {
        let safe = name.unicodeScalars.map { scalar -> Character in
            let isSafe = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isSafe || scalar == "." || scalar == "-" || scalar == "_" ? Character(scalar) : "_"
        }
        let text = String(safe)
        return text.allSatisfy { $0 == "." } ? "_" + text : text
    }
}
