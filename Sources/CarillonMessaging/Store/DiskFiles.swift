import Foundation

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
