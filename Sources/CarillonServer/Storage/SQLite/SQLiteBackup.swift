import CarillonCore
import Foundation
import GRDB

/// A copy of a SQLite database in one file, made while a service writes to it.
package enum SQLiteBackup {
    /// Copies a snapshot of the database, whole or not at all, and checks the copy.
    ///
    /// Writers are not delayed; their changes meanwhile are not part of the copy.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - target: a file that does not exist yet.
    ///   - pages: the number of pages that are copied between two calls of `progress`.
    ///   - progress: takes the number of copied pages, and of all pages.
    /// - Throws: ``ServiceError`` with what to do, GRDB's `DatabaseError` for other errors of SQLite.
    package static func make(
        of path: String, to target: String, pages: Int32 = StoreLimits.backupPagesPerStep,
        progress: @escaping (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ServiceError(.configuration, "there is no database in \(path)")
        }
        guard !FileManager.default.fileExists(atPath: target) else {
            throw ServiceError(.configuration, "\(target) exists: name a new file")
        }
        // The lock keeps two backups from writing one file; an interrupted backup has left its file unlocked.
        let draft = "\(target).unfinished"
        do {
            guard let lock = try HeldFileLock(path: draft, creating: true) else {
                throw ServiceError(.busy, "another backup to \(target) is under way")
            }
            try withExtendedLifetime(lock) { try fill(draft, from: path, pages, progress) }
            try FileManager.default.moveItem(atPath: draft, toPath: target)
            try sync(URL(fileURLWithPath: target).deletingLastPathComponent().path)
        } catch let error as DatabaseError {
            for file in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: draft + file) }
            throw error.explanation ?? error
        } catch let failure as FileLock.Failure {
            throw ServiceError(.configuration, "\(target) cannot be created: \(failure.reason)")
        }
    }

    private static func fill(
        _ draft: String, from path: String, _ pages: Int32, _ progress: @escaping (Int, Int) -> Void
    ) throws {
        try SQLiteFile.makePrivate(draft)
        guard truncate(draft, 0) == 0 else {
            throw ServiceError(.storage, "\(draft) cannot be written: \(String(cString: strerror(errno)))")
        }
        var configuration = Configuration()
        configuration.busyMode = SQLiteFile.patience(StoreLimits.databaseBusySeconds)
        configuration.readonly = true
        let source = try DatabaseQueue(path: path, configuration: configuration)
        configuration.readonly = false
        let copy = try DatabaseQueue(path: draft, configuration: configuration)
        try source.read { from in
            // This read fixes the snapshot: later commits stay in the log while it lasts.
            _ = try Int.fetchOne(from, sql: "SELECT count(*) FROM sqlite_master")
            try copy.writeWithoutTransaction { to in
                try from.backup(to: to, pagesPerStep: pages) { step in
                    progress(step.completedPageCount, step.totalPageCount)
                }
                // The copy is one file, without a log beside it.
                try to.execute(sql: "PRAGMA journal_mode = DELETE")
                let findings = try String.fetchAll(to, sql: "PRAGMA integrity_check(10)")
                guard findings == ["ok"] else {
                    throw ServiceError(
                        .storage,
                        "the copy is damaged, so the database is: \(findings.prefix(3).joined(separator: "; "))")
                }
            }
        }
        try copy.close()
        try sync(draft)
    }

    /// Waits until a file, or a folder's list of names, is on the disk.
    private static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw ServiceError(.storage, "\(path) cannot be kept safe: \(String(cString: strerror(errno)))")
        }
    }
}
