import Foundation

/// The store's operations on the files of its folder; it keeps none open and locks none.
///
/// iOS ends an app that is suspended while it holds a lock on a file of an App Group, and an extension that waited for it
/// would show nothing. So every file has one writer, and readers know what is whole.
package protocol StoreFiles: Sendable {
    /// Makes the folders.
    func prepare()
    /// The names of the files in a folder; empty when there is none.
    func names(in folder: StoreFolder) -> [String]
    /// Reads a file, or the rest of it.
    ///
    /// - Parameters:
    ///   - name: of the file.
    ///   - folder: in which it is.
    ///   - offset: in bytes; 0 for the whole file.
    /// - Returns: `nil` when the file does not exist; empty when it ends there.
    /// - Throws: ``StoreError/unreadable(file:reason:)`` when it may not be read now.
    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data?
    /// Writes a whole file: afterwards, also after a crash, it has the old contents or the new.
    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError)
    /// Adds to the end of a file; after a crash a part of it may be there.
    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError)
    /// Removes a file, if it is there.
    func remove(_ name: String, in folder: StoreFolder)
    /// Renames a file that could not be decoded: it gets the ending `corrupt`.
    func putAside(_ name: String, in folder: StoreFolder)
}

/// The store's files on the phone's disk.
struct DiskFiles: StoreFiles {
    private let root: URL

    /// - Parameter root: the folder `Carillon`.
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
            // Asked afterwards: another process may remove the file at any moment.
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

    /// A backup would bring this installation's identity to a second phone.
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
            // First unlock, not "while unlocked": pushes arrive at a locked phone.
            [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
            .atomic
        #endif
    }
}

/// The folders of the store.
package enum StoreFolder: Sendable, Hashable, CaseIterable {
    /// Written by the app alone.
    case app
    /// Where the service extension leaves what the app does not know, and the app removes what it has taken over.
    case serviceExtension

    /// Below the folder `Carillon`; `nil` for that folder itself.
    var name: String? {
        switch self {
        case .app: nil
        case .serviceExtension: "extension"
        }
    }
}

/// The names of the store's files beside those of a ``StoreGeneration``.
package enum StoreFileName {
    /// The ``InstallationIdentity``.
    package static let identity = "installation.json"
    /// The `InboxState`.
    package static let inbox = "inbox.json"
    /// Every file of the service extension ends so; what it is about to write does not.
    package static let extensionEnding = ".change"
}

/// Why the store cannot be used now.
package enum StoreError: Error, CustomStringConvertible {
    /// The file exists and cannot be read: before the first unlock after a restart, protected files cannot.
    case unreadable(file: String, reason: String)
    case unwritable(file: String, reason: String)

    package var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
        case .unwritable(let file, let reason): "cannot write \(file): \(reason)"
        }
    }
}
