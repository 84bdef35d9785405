import GRDB
import GRDBSQLite
import Synchronization

/// The length of the write-ahead log in pages after a connection's last commit, as SQLite reports it.
///
/// The size of the file does not show it, because SQLite begins the log anew within the file.
final class LogLength: Sendable {
    private struct State {
        var pages = 0
        var copiesAtOnce = true
    }

    private let state = Mutex(State())

    var pages: Int { state.withLock { $0.pages } }

    /// Watches a connection.
    ///
    /// This object must outlive the connection, as it does if the pool's configuration holds it in `prepareDatabase`.
    ///
    /// SQLite's own copying of the log after a commit stops, since both use the single hook.
    func watch(_ db: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                if length.committed(Int(pages)) {
                    // A part that a reader prevents from being copied is copied after a later commit.
                    sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, context)
    }

    /// Stops copying the log here, because another connection does it from now on.
    func leaveCopying() { state.withLock { $0.copiesAtOnce = false } }

    /// Takes the length of the log after a commit.
    ///
    /// - Returns: whether the connection is to copy the log now.
    private func committed(_ pages: Int) -> Bool {
        state.withLock { state in
            state.pages = pages
            return state.copiesAtOnce && pages >= StoreLimits.logPagesBeforeCheckpoint
        }
    }
}
