import Foundation

/// Closes the files of an app as a phone does that was not unlocked since it was switched on: they are there, and can be
/// neither read nor replaced.
///
/// A folder takes the place of each, with the file beside it. Differs from iOS: a new file can be made meanwhile, and no
/// file is exempt (`NSFileProtectionNone`).
enum ClosedFiles {
    private static let prefix = ".closed-"

    /// Closes every file below a folder.
    static func close(_ folder: URL) {
        for file in files(below: folder) where !file.lastPathComponent.hasPrefix(prefix) {
            let aside = aside(file)
            guard (try? FileManager.default.moveItem(at: file, to: aside)) != nil else { continue }
            try? FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        }
    }

    /// Opens the closed files of a folder.
    static func open(_ folder: URL) {
        for aside in files(below: folder) where aside.lastPathComponent.hasPrefix(prefix) {
            let name = String(aside.lastPathComponent.dropFirst(prefix.count))
            let file = aside.deletingLastPathComponent().appending(path: name)
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.moveItem(at: aside, to: file)
        }
    }

    private static func aside(_ file: URL) -> URL {
        file.deletingLastPathComponent().appending(path: prefix + file.lastPathComponent)
    }

    private static func files(below folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        return (all?.allObjects ?? []).compactMap { $0 as? URL }.filter { url in
            (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
    }
}
