import GRDB
import GRDBSQLite
import Synchronization

/// The length of the write-ahead log in pages after a connection's last commit, as SQLite reports it.
///
/// The size of the file does not show it, because SQLite reuses the file from its beginning.
final class LogLength: Sendable {
    private struct State {
        var pages = 0
        var copiesAtOnce = true
    }

    private let state = Mutex(State())

    var pages: Int { state.withLock { $0.pages } }

    /// Watches a connection.
    ///
    /// The caller must keep this object longer than the connection, for instance in the `prepareDatabase` of the pool's
    /// configuration.
    ///
    /// SQLite's own checkpoint after a commit stops, because both use SQLite's only hook.
    func watch(_ db: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                if length.committed(Int(pages)) {
                    // Parts that a reader blocks are copied after a later commit.
                    sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, context)
    }

    /// Stops the checkpoints of this connection, because another connection makes them from now on.
    func leaveCopying() { state.withLock { $0.copiesAtOnce = false } }

    /// Stores the length of the log after a commit.
    ///
    /// - Returns: whether the connection must copy the log now.
    private func committed(_ pages: Int) -> Bool {
        state.withLock { state in
            state.pages = pages
            return state.copiesAtOnce && pages >= StoreLimits.logPagesBeforeCheckpoint
        }
    }
}
