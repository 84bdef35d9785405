import CarillonCore
import Foundation

/// The PostgreSQL engine, for any number of processes on any number of machines.
///
/// Calls that write concurrently in one process share a transaction (``GroupCommit``). Processes take turns: each writing
/// transaction holds one lock, so its decisions are valid for all processes. Readers have a snapshot and wait for nobody. A
/// sender's beat has a connection of its own and takes no turn, so that it is not delayed by long transactions.
package final class PostgreSQLEngine: StoreEngine {
    private let writers: PostgreSQLThreads
    private let readers: PostgreSQLThreads
    private let writer: GroupCommit
    private let beaters: PostgreSQLThreads
    private let beater: GroupCommit
    /// The announcements between processes; `nil` if this process does not listen.
    private let listener: PostgreSQLListener?

    private init(
        url: String, schema: Schema, patience: Duration, readers: Int, listens: Bool
    ) {
        listener = listens ? PostgreSQLListener(url: url) : nil
        writers = PostgreSQLThreads("carillon.postgresql.write", limit: 1) {
            PostgreSQLConnection(url: url, patience: patience, schema: schema)
        }
        let reach = ServerReach()
        self.readers = PostgreSQLThreads("carillon.postgresql.read", limit: readers) {
            PostgreSQLConnection(url: url, patience: patience, reach: reach)
        }
        writer = GroupCommit(queue: writers)
        beaters = PostgreSQLThreads("carillon.postgresql.beat", limit: 1) {
            PostgreSQLConnection(url: url, patience: patience, takesTurns: false, schema: schema)
        }
        beater = GroupCommit(queue: beaters)
    }

    deinit { close() }

    /// Connects, creates or upgrades the tables, and waits for as long as there is no server.
    ///
    /// - Parameters:
    ///   - url: any address that libpq accepts, such as `postgres://carillon@db.example.com/carillon?sslmode=verify-full`.
    ///   - patience: the time for which a call waits for an unreachable server, or for another process that writes.
    ///   - readers: the greatest number of reading connections; one more writes.
    ///   - listens: whether a serving process has one more connection, on which it is told of others' commits. Without it, it
    ///     finds them by polling, somewhat later. The default is that it has.
    ///   - waiting: takes the reason for the wait after each failed attempt, and returns whether to go on.
    /// - Returns: the engine.
    /// - Throws: ``ServiceError`` with the fault and the remedy.
    package static func opened(
        url: String, patience: Duration = .seconds(StoreLimits.databaseBusySeconds),
        readers: Int = StoreLimits.readingConnections, listens: Bool = true,
        waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> PostgreSQLEngine {
        try await opened(
            url: url, schema: .current, patience: patience, readers: readers, listens: listens,
            waiting: waiting)
    }

    /// Connects as the other `opened` does, for tables of another version than this program's.
    static func opened(
        url: String, schema: Schema, patience: Duration = .seconds(StoreLimits.databaseBusySeconds),
        readers: Int = StoreLimits.readingConnections, listens: Bool = true,
        waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> PostgreSQLEngine {
        try PostgreSQLServer.check(url)
        let engine = PostgreSQLEngine(
            url: url, schema: schema, patience: patience, readers: readers, listens: listens)
        try await engine.on(engine.writers) { connection in
            var pause = 1.0
            while true {
                do {
                    try PostgreSQLServer.check(try connection.opened(within: .zero))
                    try PostgreSQLServer.checkLock(url)
                    return try connection.migrate()
                } catch let error as PostgreSQLError where error.tellsOfForeignSessions {
                    // From now on this connection prepares no statements.
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
        return engine
    }

    /// Closes the connections after the calls that are under way; later calls fail.
    package func close() {
        writers.close()
        beaters.close()
        readers.close()
        listener?.close()
    }

    package func wasWrittenElsewhere() async throws -> Bool? { nil }

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

    /// Runs `body` on a thread with a connection.
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

    // A session that is gone does not prove that its process is, because the server may have been restarted. So only the beat
    // shows that a sender lives.
    package func begin(_ sender: String) throws -> (any Sendable)? { nil }
    package func isGone(_ sender: String) -> Bool { false }
    package func forget(_ sender: String) {}
    // PostgreSQL overwrites deleted rows when it vacuums the tables.
    package func removeTraces() async {}
}
