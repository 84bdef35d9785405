import CarillonCore
import Foundation

/// The database engine PostgreSQL, for any number of processes on any number of machines.
///
/// Concurrent writing calls of one process share a transaction (``GroupCommit``). Each writing transaction holds a lock for which
/// the writing transactions of all processes wait. So data that it has read stays valid until its commit.
///
/// Readers use a snapshot and never wait. Senders' heartbeats have their own connection and do not take the lock, so that long
/// transactions do not delay them.
package final class PostgreSQLEngine: StoreEngine {
    private let writers: PostgreSQLThreads
    private let readers: PostgreSQLThreads
    private let writer: GroupCommit
    private let beaters: PostgreSQLThreads
    private let beater: GroupCommit
    /// The listener for announcements of other processes; `nil` if this process does not listen.
    private let listener: PostgreSQLListener?
    package let meter: DatabaseMeter
    package var waitingWrites: Int { writer.waitingCount }

    // `reach` is shared by the connections for reading, for writing and for heartbeats.
    private init(
        url: String, schema: Schema, patience: Duration, readers: Int, listens: Bool, reach: ServerReach,
        clock: any CarillonClock
    ) {
        meter = DatabaseMeter(clock: clock)
        listener = listens ? PostgreSQLListener(url: url) : nil
        writers = PostgreSQLThreads("carillon.postgresql.write", limit: 1) {
            PostgreSQLConnection(url: url, patience: patience, schema: schema, reach: reach)
        }
        self.readers = PostgreSQLThreads("carillon.postgresql.read", limit: readers) {
            PostgreSQLConnection(url: url, patience: patience, reach: reach)
        }
        writer = GroupCommit(queue: writers, clock: clock, meter: meter)
        beaters = PostgreSQLThreads("carillon.postgresql.beat", limit: 1) {
            PostgreSQLConnection(url: url, patience: patience, takesTurns: false, schema: schema, reach: reach)
        }
        beater = GroupCommit(queue: beaters, clock: clock)
    }

    deinit { close() }

    /// Connects to a server, and creates the service's tables or upgrades them.
    ///
    /// The function waits while the server is unreachable, while another process upgrades the tables, and while the disk is full.
    ///
    /// - Parameters:
    ///   - url: any address that libpq accepts, such as `postgres://carillon@db.example.com/carillon?sslmode=verify-full`.
    ///   - patience: the time for which a later call waits for an unreachable server, or for another process that writes.
    ///   - readers: the greatest number of connections for reading. The engine has a further connection for writing.
    ///   - listens: whether the process opens one more connection, on which it learns of other processes' commits. Without this
    ///     connection, the process finds the changes later, by polling. The default is true.
    ///   - telling: a closure that receives sentences about an upgrade of the tables, for a log. The default does nothing.
    ///   - waiting: a closure that receives the reason after each failed attempt, and returns whether to try again.
    /// - Returns: the engine.
    /// - Throws: ``ServiceError`` whose description names the fault and says what to do.
    package static func opened(
        url: String, patience: Duration = .seconds(StoreLimits.databaseBusySeconds),
        readers: Int = StoreLimits.readingConnections, listens: Bool = true,
        telling: @escaping @Sendable (String) -> Void = { _ in }, waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> PostgreSQLEngine {
        try await opened(
            url: url, schema: .current, patience: patience, readers: readers, listens: listens, telling: telling,
            waiting: waiting)
    }

    /// Connects to a server, and creates the tables of `schema` or upgrades older tables to its version.
    ///
    /// `clock` measures how long calls and transactions take.
    static func opened(
        url: String, schema: Schema, patience: Duration = .seconds(StoreLimits.databaseBusySeconds),
        readers: Int = StoreLimits.readingConnections, listens: Bool = true, reach: ServerReach = ServerReach(),
        clock: any CarillonClock = SystemClock(), telling: @escaping @Sendable (String) -> Void = { _ in },
        waiting: @escaping @Sendable (String) -> Bool
    ) async throws -> PostgreSQLEngine {
        try PostgreSQLServer.check(url)
        let engine = PostgreSQLEngine(
            url: url, schema: schema, patience: patience, readers: readers, listens: listens, reach: reach, clock: clock
        )
        try await engine.on(engine.writers) { connection in
            var pause = 1.0
            while true {
                do {
                    try PostgreSQLServer.check(try connection.opened(within: .zero))
                    try PostgreSQLServer.checkLock(url)
                    return try connection.migrate(telling: telling)
                } catch let error as PostgreSQLError where error.tellsOfForeignSessions {
                    // The error has made this connection stop preparing statements, so it is tried again.
                    continue
                } catch let error as PostgreSQLError where error.isPassing || error.explanation?.mayPass == true {
                    if let refusal = PostgreSQLServer.refusal(error.description) { throw refusal }
                    let explanation = error.explanation
                    guard waiting(explanation?.description ?? error.description) else { throw explanation ?? error }
                    Thread.sleep(forTimeInterval: pause)
                    pause = min(pause * 2, 10)
                } catch let error as PostgreSQLError {
                    throw PostgreSQLServer.explained(error)
                }
            }
        }
        return engine
    }

    /// Closes the connections once the calls in progress have ended.
    ///
    /// Calls that begin later fail.
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

    package func inTransaction<Value: Sendable>(
        beginningWith begin: @escaping WriteBeginning<Value>
    ) async throws -> Value { try await writer.writeTogether(beginningWith: begin) }

    package func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await beater.write(body) }

    package func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await on(readers) { connection in try connection.reading { try body(connection) } }
    }

    /// Runs `body` on one of the pool's threads, with the connection of this thread.
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

    // A lost session does not prove that its process has ended, because the server may have restarted. So only the heartbeat
    // counter shows that a sender lives.
    package func begin(_ sender: String) throws -> (any Sendable)? { nil }
    package func isGone(_ sender: String) -> Bool { false }
    package func forget(_ sender: String) {}
    // Does nothing: PostgreSQL overwrites deleted rows when it vacuums the tables.
    package func removeTraces() async {}
}
