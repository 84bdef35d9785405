import CarillonCore
import Foundation

/// PostgreSQL, for any number of processes on any number of machines.
///
/// Calls that write at the same time in one process share a transaction (``GroupCommit``), and processes take turns: each
/// writing transaction holds one lock, so what is decided in it is decided for all. Whoever reads has a snapshot and waits for
/// nobody. A sender's beat has a connection of its own and takes no turn: it must come through however long others take.
package final class PostgreSQLStore: TransactionalStore {
    package let ranges: RangeRules
    private let writers: PostgreSQLThreads
    private let readers: PostgreSQLThreads
    private let writer: GroupCommit
    private let beaters: PostgreSQLThreads
    private let beater: GroupCommit
    package let templates = PushTemplates()
    /// What processes tell each other; `nil` where nothing listens.
    private let listener: PostgreSQLListener?

    private init(
        url: String, schema: Schema, patience: Duration, readers: Int, listens: Bool, ranges: RangeRules
    ) {
        self.ranges = ranges
        listener = listens ? PostgreSQLListener(url: url) : nil
        writers = PostgreSQLThreads("carillon.postgresql.write", limit: 1) {
            PostgreSQLConnection(url: url, patience: patience, schema: schema)
        }
        self.readers = PostgreSQLThreads("carillon.postgresql.read", limit: readers) {
            PostgreSQLConnection(url: url, patience: patience)
        }
        writer = GroupCommit(queue: writers)
        beaters = PostgreSQLThreads("carillon.postgresql.beat", limit: 1) {
            PostgreSQLConnection(url: url, patience: patience, takesTurns: false, schema: schema)
        }
        beater = GroupCommit(queue: beaters)
    }

    deinit { close() }

    /// Connects, makes the tables if need be, and brings them up to date; waits for as long as there is no server.
    ///
    /// - Parameters:
    ///   - url: whatever libpq takes, such as `postgres://carillon@db.example.com/carillon?sslmode=verify-full`.
    ///   - patience: how long a call waits for a server that cannot be reached, or for another process that writes.
    ///   - readers: connections that read, at most; one more writes.
    ///   - listens: whether a process that serves has one connection more, on which it is told what others have
    ///     committed. Without it, it learns that by looking, somewhat later. The default is that it has.
    ///   - ranges: when a message is sent by ranges.
    ///   - waiting: told why it waits, each time that it has tried in vain; returns whether to go on.
    /// - Returns: the store.
    /// - Throws: ``ServiceError`` with what is wrong and what to do.
    package static func opened(
        url: String, patience: Duration = .seconds(ServiceLimits.databaseBusySeconds),
        readers: Int = ServiceLimits.readingConnections, listens: Bool = true, ranges: RangeRules = RangeRules(),
        waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> PostgreSQLStore {
        try await opened(
            url: url, schema: .current, patience: patience, readers: readers, listens: listens, ranges: ranges,
            waiting: waiting)
    }

    /// Connects as the other `opened` does, for tables of another version than this program's.
    static func opened(
        url: String, schema: Schema, patience: Duration = .seconds(ServiceLimits.databaseBusySeconds),
        readers: Int = ServiceLimits.readingConnections, listens: Bool = true, ranges: RangeRules = RangeRules(),
        waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> PostgreSQLStore {
        try PostgreSQLServer.check(url)
        let store = PostgreSQLStore(
            url: url, schema: schema, patience: patience, readers: readers, listens: listens, ranges: ranges)
        try await store.on(store.writers) { connection in
            var pause = 1.0
            while true {
                do {
                    try PostgreSQLServer.check(try connection.opened(within: .zero))
                    try PostgreSQLServer.checkLock(url)
                    return try connection.migrate()
                } catch let error as PostgreSQLError where error.tellsOfForeignSessions {
                    // From now on this connection prepares nothing.
                    continue
                } catch let error as PostgreSQLError where error.isPassing || error.state == PostgreSQLError.unreachable
                {
                    if let refusal = PostgreSQLServer.refusal(error.description) { throw refusal }
                    guard waiting(error.description) else { throw error.explanation ?? error }
                    Thread.sleep(forTimeInterval: pause)
                    pause = min(pause * 2, 10)
                } catch let error as PostgreSQLError {
                    throw PostgreSQLServer.explained(error)
                }
            }
        }
        return store
    }

    /// Ends the connections, after the calls that are under way; calls that come later fail.
    package func close() {
        writers.close()
        beaters.close()
        readers.close()
        listener?.close()
    }

    package func announce(_ announcement: StoreAnnouncement) { listener?.announce(announcement) }

    package func announcements() -> AsyncStream<StoreAnnouncement> {
        listener?.announcements() ?? AsyncStream { $0.finish() }
    }

    package func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await writer.write(body) }

    package func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await beater.write(body) }

    package func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await on(readers) { connection in try connection.reading { try body(connection) } }
    }

    /// Runs `body` on a thread that has a connection.
    private func on<Value: Sendable>(
        _ threads: PostgreSQLThreads, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let isTaken = threads.run { connection in
                continuation.resume(
                    with: Result { try body(connection) }.mapError { error in
                        (error as? any EngineError)?.explanation ?? error
                    })
            }
            if !isTaken {
                continuation.resume(
                    throwing: ServiceError(.busy, "the database is closed, or too many calls wait for it"))
            }
        }
    }

    // A session that is gone does not prove that its process is: the server may have been started anew. So the beat tells.
    package func begin(_ sender: String) throws -> (any Sendable)? { nil }
    package func isGone(_ sender: String) -> Bool { false }
    package func forget(_ sender: String) {}
    // What was deleted is overwritten when PostgreSQL vacuums the tables.
    package func removeTraces() async {}
}
