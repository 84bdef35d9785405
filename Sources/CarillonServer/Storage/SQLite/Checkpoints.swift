import GRDB
import Synchronization

/// The copying of the write-ahead log into the database, on a connection of its own so that no commit waits for it.
final class Checkpoints: Sendable {
    let pool: DatabasePool
    let queue: DatabaseQueue
    let length: LogLength
    private let schedule = Mutex(CheckpointSchedule())

    /// Takes the copying over from the pool's writer.
    ///
    /// - Parameters:
    ///   - pool: the pool whose log is copied.
    ///   - length: the watch of the pool's writer.
    /// - Throws: ``ServiceError`` if durability is not available, GRDB's `DatabaseError` for errors of SQLite.
    init(of pool: DatabasePool, length: LogLength) throws {
        self.pool = pool
        self.length = length
        var configuration = Configuration()
        configuration.label = "carillon.checkpoints"
        configuration.busyMode = SQLiteFile.patience(StoreLimits.checkpointBusySeconds)
        queue = try DatabaseQueue(path: pool.path, configuration: configuration)
        // A page is overwritten in the database only after the log with it is on the disk.
        try SQLiteFile.makeDurable(queue)
        length.leaveCopying()
    }

    /// Starts a step if one is due; called after each commit.
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

    /// Copies the whole log and empties its file, now or, while a reader prevents it, later.
    func empty() async throws {
        // The emptying stays pending from now on, even if this call fails.
        schedule.withLock { $0.emptied(false) }
        try await queue.writeWithoutTransaction { [self] db in empty(db) }
    }

    /// Copies as much as possible, and closes the connection.
    func close() throws {
        queue.writeWithoutTransaction { copy($0) }
        try queue.close()
    }

    /// Copies the log; a part that a reader or another process prevents is left to a later step.
    private func copy(_ db: Database) { _ = try? db.checkpoint(.passive) }

    private func empty(_ db: Database) {
        let isEmpty = (try? db.checkpoint(.truncate)) != nil
        schedule.withLock { $0.emptied(isEmpty) }
    }

    private func ended() { schedule.withLock { $0.ended() } }
}
