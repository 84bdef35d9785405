import Foundation

/// The file operations of the store; no operation keeps a file open or locks it.
///
/// iOS terminates an app that is suspended while it locks a file of an App Group, and an extension that waits for a lock would
/// show nothing. So every file has one writer, and readers detect incomplete contents.
package protocol StoreFiles: Sendable {
    /// Creates the store's folders if they are missing.
    func prepare()
    /// Returns the names of the files in a folder; no names if the folder does not exist.
    func names(in folder: StoreFolder) -> [String]
    /// Reads a file from an offset to its end.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - folder: the file's folder.
    ///   - offset: the first byte to read; 0 for the whole file.
    /// - Returns: the bytes: `nil` if the file does not exist, empty if the file ends at the offset.
    /// - Throws: ``StoreError/unreadable(file:reason:)`` if the file cannot be read now.
    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data?
    /// Writes a whole file: even after a crash the file has either the old contents or the new.
    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError)
    /// Appends to a file; after a crash the file may end with a part of `data`.
    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError)
    /// Removes a file if it exists.
    func remove(_ name: String, in folder: StoreFolder)
    /// Renames a file that could not be decoded, by adding the file-name extension `corrupt`.
    func putAside(_ name: String, in folder: StoreFolder)
}

/// The store's files on the phone's disk.
struct DiskFiles: StoreFiles {
    private let root: URL

    /// Creates the file operations for a folder.
    ///
    /// - Parameter root: the folder `Carillon`, which contains all files of the store.
    init(root: URL) { self.root = root }

    func prepare() {
        for folder in StoreFolder.allCases {
            try? FileManager.default.createDirectory(at: url(of: folder), withIntermediateDirectories: true)
        }
        excludeFromBackup()
    }

    func names(in folder: StoreFolder) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: url(of: folder).path)) ?? []
    }

    package func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data? {
        let url = url(of: folder).appendingPathComponent(name)
        do {
            guard offset > 0 else { return try Data(contentsOf: url) }
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(offset))
            return try handle.readToEnd() ?? Data()
        } catch {
            // The check comes after the attempt, because another process may remove the file at any moment.
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            throw StoreError.unreadable(file: name, reason: "\(error)")
        }
    }

    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        do {
            try data.write(to: url(of: folder).appendingPathComponent(name), options: Self.writingOptions)
        } catch {
            throw StoreError.unwritable(file: name, reason: "\(error)")
        }
    }

    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        do {
            let handle = try FileHandle(forWritingTo: url(of: folder).appendingPathComponent(name))
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: data)
        } catch {
            throw StoreError.unwritable(file: name, reason: "\(error)")
        }
    }

    package func remove(_ name: String, in folder: StoreFolder) {
        try? FileManager.default.removeItem(at: url(of: folder).appendingPathComponent(name))
    }

    func putAside(_ name: String, in folder: StoreFolder) {
        let file = url(of: folder).appendingPathComponent(name)
        let aside = file.appendingPathExtension("corrupt")
        try? FileManager.default.removeItem(at: aside)
        try? FileManager.default.moveItem(at: file, to: aside)
    }

    private func url(of folder: StoreFolder) -> URL {
        folder.name.map { root.appendingPathComponent($0, isDirectory: true) } ?? root
    }

    /// Excludes the files from backups, because a backup would copy this installation's identity to a second phone.
    private func excludeFromBackup() {
        #if os(iOS)  // Backups exist on the phone only.
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var folder = root
            try? folder.setResourceValues(values)
        #endif
    }

    private static var writingOptions: Data.WritingOptions {
        #if os(iOS)  // File protection exists on the phone only.
            // After the first unlock, not only "while unlocked", because pushes arrive at a locked phone.
            [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
            .atomic
        #endif
    }
}

/// The folders of the store.
package enum StoreFolder: Sendable, Hashable, CaseIterable {
    /// The folder that only the app writes.
    case app
    /// The folder for the service extension's changes; the app removes the files that it has merged.
    case serviceExtension

    /// The folder's name below `Carillon`; `nil` for the folder `Carillon` itself.
    var name: String? {
        switch self {
        case .app: nil
        case .serviceExtension: "extension"
        }
    }
}

/// The names of the store's files, except the files of a ``StoreGeneration``.
package enum StoreFileName {
    /// The file of the ``InstallationIdentity``.
    package static let identity = "installation.json"
    /// The file of the `InboxState`.
    package static let inbox = "inbox.json"
    /// The file-name extension of the files in which the service extension leaves its changes for the app.
    package static let extensionEnding = ".change"
}

/// The reason why the store cannot be used now.
package enum StoreError: Error, CustomStringConvertible {
    /// The file exists but cannot be read, for example before the phone's first unlock after a restart.
    case unreadable(file: String, reason: String)
    case unwritable(file: String, reason: String)

    package var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
        case .unwritable(let file, let reason): "cannot write \(file): \(reason)"
        }
    }
}
