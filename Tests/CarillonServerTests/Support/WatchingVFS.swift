import Foundation
import GRDBSQLite

/// The operating system's files, as SQLite uses them, with a look at what is written and synced in some folders.
///
/// `@unchecked Sendable`: `original` is only read; all else is reached only under the lock. (A `Mutex` does not take SQLite's
/// pointers.)
final class WatchingVFS: @unchecked Sendable {
    static let shared = WatchingVFS()

    private struct OpenFile {
        var path: String
        var watcher: SyncedFiles
        var methods: UnsafePointer<sqlite3_io_methods>
    }

    private struct State {
        var folders: [String: SyncedFiles] = [:]
        var files: [UnsafeRawPointer: OpenFile] = [:]
        /// By SQLite's own table, ours, which SQLite may use as long as the process lives.
        var tables: [UnsafePointer<sqlite3_io_methods>: UnsafePointer<sqlite3_io_methods>] = [:]
    }

    private let lock = NSLock()
    private var state = State()
    private let original: UnsafeMutablePointer<sqlite3_vfs>

    private init() {
        guard let original = sqlite3_vfs_find(nil) else { fatalError("SQLite has no files") }
        self.original = original
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: original.pointee)
        own.pointee.zName = UnsafePointer(strdup("watching"))
        own.pointee.pNext = nil
        own.pointee.xOpen = { _, name, file, flags, outFlags in
            WatchingVFS.shared.open(name, file, flags, outFlags)
        }
        sqlite3_vfs_register(own, 1)
    }

    func watch(_ folder: String, _ watcher: SyncedFiles) { lock.withLock { state.folders[folder] = watcher } }

    private func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let code = original.pointee.xOpen(original, name, file, flags, outFlags)
        let isWatchable = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0
        guard code == SQLITE_OK, isWatchable, let file, let name, let methods = file.pointee.pMethods else {
            return code
        }
        let path = String(cString: name)
        lock.withLock {
            guard let watcher = state.folders[URL(fileURLWithPath: path).deletingLastPathComponent().path] else {
                return
            }
            state.files[UnsafeRawPointer(file)] = OpenFile(path: path, watcher: watcher, methods: methods)
            let table = state.tables[methods] ?? Self.table(methods)
            state.tables[methods] = table
            file.pointee.pMethods = table
        }
        return code
    }

    private func openFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        file.flatMap { file in lock.withLock { state.files[UnsafeRawPointer(file)] } }
    }

    private func closed(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        file.flatMap { file in lock.withLock { state.files.removeValue(forKey: UnsafeRawPointer(file)) } }
    }

    private static func table(_ methods: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: methods.pointee)
        table.pointee.xWrite = { file, bytes, count, offset in
            guard let open = WatchingVFS.shared.openFile(file) else { return SQLITE_IOERR }
            let code = open.methods.pointee.xWrite(file, bytes, count, offset)
            if code == SQLITE_OK {
                let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                open.watcher.wrote(buffer, at: Int(offset), in: open.path)
            }
            return code
        }
        table.pointee.xTruncate = { file, size in
            guard let open = WatchingVFS.shared.openFile(file) else { return SQLITE_IOERR }
            let code = open.methods.pointee.xTruncate(file, size)
            if code == SQLITE_OK { open.watcher.truncated(open.path, to: Int(size)) }
            return code
        }
        table.pointee.xSync = { file, flags in
            guard let open = WatchingVFS.shared.openFile(file) else { return SQLITE_IOERR }
            // SQLITE_IOERR_FSYNC, a macro that Swift does not see.
            guard !open.watcher.refusesSyncs else { return SQLITE_IOERR | 4 << 8 }
            let code = open.methods.pointee.xSync(file, flags)
            if code == SQLITE_OK { open.watcher.synced(open.path) }
            return code
        }
        table.pointee.xClose = { file in WatchingVFS.shared.closed(file)?.methods.pointee.xClose(file) ?? SQLITE_IOERR }
        return UnsafePointer(table)
    }
}
