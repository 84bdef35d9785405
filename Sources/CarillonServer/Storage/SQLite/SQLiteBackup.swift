import CarillonCore
import Foundation
import GRDB

/// Backs up a SQLite database into one file, even while a service writes to the database.
package enum SQLiteBackup {
    /// Copies a snapshot of the database and checks the copy.
    ///
    /// The target file exists only if the copy is complete and sound. The backup does not delay writers, and does not include
    /// their changes during the backup.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - target: a file that does not exist yet.
    ///   - pages: the number of pages to copy between two calls of `progress`. The default is 4096.
    ///   - progress: a closure that receives the number of pages copied so far, and the number of all pages. The default does
    ///     nothing.
    /// - Throws: ``ServiceError`` whose description says what to do; GRDB's `DatabaseError` for other errors of SQLite.
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
        // The lock keeps two backups from writing one file. A file left by an interrupted backup is not locked.
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
            // This read fixes the snapshot. Commits that come later stay in the log while the snapshot lasts.
            _ = try Int.fetchOne(from, sql: "SELECT count(*) FROM sqlite_master")
            try copy.writeWithoutTransaction { to in
                try from.backup(to: to, pagesPerStep: pages) { step in
                    progress(step.completedPageCount, step.totalPageCount)
                }
                // Makes the copy a single file, without a log beside it.
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

    /// Waits until the content of a file, or the entries of a folder, are on the disk.
    private static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw ServiceError(.storage, "\(path) cannot be kept safe: \(String(cString: strerror(errno)))")
        }
    }
}
