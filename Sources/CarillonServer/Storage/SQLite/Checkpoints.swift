import GRDB
import Synchronization

/// Copies SQLite's write-ahead log into the database on a separate connection, so that no commit waits for the copying.
final class Checkpoints: Sendable {
    let pool: DatabasePool
    let queue: DatabaseQueue
    let length: LogLength
    private let schedule = Mutex(CheckpointSchedule())

    /// Takes over the checkpoints of a pool: from now on, the pool's writing connection does not copy the log itself.
    ///
    /// - Parameters:
    ///   - pool: the pool whose write-ahead log is copied.
    ///   - length: the length of the log, which the pool's writing connection updates after each commit.
    /// - Throws: ``ServiceError`` if SQLite refuses to make commits durable; GRDB's `DatabaseError` for errors of SQLite.
    init(of pool: DatabasePool, length: LogLength) throws {
        self.pool = pool
        self.length = length
        var configuration = Configuration()
        configuration.label = "carillon.checkpoints"
        configuration.busyMode = SQLiteFile.patience(StoreLimits.checkpointBusySeconds)
        queue = try DatabaseQueue(path: pool.path, configuration: configuration)
        // Makes checkpoints durable too: the log must be on the disk before a checkpoint overwrites a page of the database.
        try SQLiteFile.makeDurable(queue)
        length.leaveCopying()
    }

    /// Starts a checkpoint if one is due.
    ///
    /// The engine calls this function after each commit.
    func committed() {
        let pages = length.pages
        guard let step = schedule.withLock({ $0.committed(pages: pages) }) else { return }
        queue.asyncWriteWithoutTransaction { [self] db in
            switch step {
            case .alongside:
                copy(db)
                ended()
            case .alongsideThenBetween:
                copy(db)
                pool.asyncWriteWithoutTransaction { [self] db in
                    copy(db)
                    ended()
                }
            case .emptying:
                empty(db)
                ended()
            }
        }
    }

    /// Copies the whole write-ahead log into the database and truncates the log's file.
    ///
    /// If a reader prevents this now, a later checkpoint does it.
    func empty() async throws {
        // From here on, the log must be truncated, even if this call fails.
        schedule.withLock { $0.emptied(false) }
        try await queue.writeWithoutTransaction { [self] db in empty(db) }
    }

    /// Copies as much of the write-ahead log as possible, and closes the connection for checkpoints.
    func close() throws {
        queue.writeWithoutTransaction { copy($0) }
        try queue.close()
    }

    /// Copies the write-ahead log into the database.
    ///
    /// If a reader or another process blocks a part of the log, a later checkpoint copies that part.
    private func copy(_ db: Database) { _ = try? db.checkpoint(.passive) }

    private func empty(_ db: Database) {
        let isEmpty = (try? db.checkpoint(.truncate)) != nil
        schedule.withLock { $0.emptied(isEmpty) }
    }

    private func ended() { schedule.withLock { $0.ended() } }
}
