import GRDB
import GRDBSQLite
import Synchronization

/// How many pages the write-ahead log had after the last commit of a connection, as SQLite itself says.
///
/// The size of the file does not tell: SQLite begins the log anew within it.
final class LogLength: Sendable {
    private struct State {
        var pages = 0
        var copiesAtOnce = true
    }

    private let state = Mutex(State())

    var pages: Int { state.withLock { $0.pages } }

    /// Watches a connection.
    ///
    /// It must outlive the connection: a pool's configuration holds what its `prepareDatabase` does.
    ///
    /// SQLite's own copying of the log after a commit ends with this, since both use the one hook that there is.
    func watch(_ db: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                if length.committed(Int(pages)) {
                    // What it cannot copy yet, because somebody reads, it copies after a later commit.
                    sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, context)
    }

    /// From now on the log is copied by somebody else.
    func leaveCopying() { state.withLock { $0.copiesAtOnce = false } }

    /// - Returns: whether the connection is to copy the log now.
    private func committed(_ pages: Int) -> Bool {
        state.withLock { state in
            state.pages = pages
            return state.copiesAtOnce && pages >= ServiceLimits.logPagesBeforeCheckpoint
        }
    }
}
