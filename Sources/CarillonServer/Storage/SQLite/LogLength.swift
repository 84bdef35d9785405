import GRDB
import GRDBSQLite
import Synchronization

/// The length of SQLite's write-ahead log in pages, as SQLite reports it after each commit of a connection.
///
/// The size of the log's file does not show this length, because SQLite reuses the file from its beginning.
final class LogLength: Sendable {
    private struct State {
        var pages = 0
        var copiesAtOnce = true
    }

    private let state = Mutex(State())

    var pages: Int { state.withLock { $0.pages } }

    /// Begins to watch the commits of a connection.
    ///
    /// The connection does not keep this object alive. So the caller must keep it for longer than the connection, for example by
    /// capturing it in the closure that prepares the pool's connections (`Configuration.prepareDatabase`).
    ///
    /// SQLite's automatic checkpoints use the connection's only commit hook. This function takes that hook, so automatic
    /// checkpoints no longer run.
    func watch(_ db: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                if length.committed(Int(pages)) {
                    // If a reader blocks a part of the log, the checkpoint after a later commit copies it.
                    sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, context)
    }

    /// Makes the watched connection run no further checkpoints, because another connection runs them from now on.
    ///
    /// A checkpoint copies the write-ahead log into the database file.
    func leaveCopying() { state.withLock { $0.copiesAtOnce = false } }

    /// Stores the length of the write-ahead log, in pages, which SQLite reports after a commit.
    ///
    /// - Returns: whether the connection that made the commit must now copy the log into the database.
    private func committed(_ pages: Int) -> Bool {
        state.withLock { state in
            state.pages = pages
            return state.copiesAtOnce && pages >= StoreLimits.logPagesBeforeCheckpoint
        }
    }
}
