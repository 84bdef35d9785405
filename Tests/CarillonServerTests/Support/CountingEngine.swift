import CarillonCore
import Synchronization

@testable import CarillonServer

/// An engine that counts what its callers ask of the writer and of readers.
final class CountingEngine: CarillonServer.StoreEngine {
    /// The statements of each transaction or snapshot, in their order.
    struct Counts: Sendable {
        var written: [Int] = []
        var read: [Int] = []
        /// The rows that the statements of each transaction returned, in the order of the transactions.
        var writtenRows: [Int] = []
        /// The most snapshots that were read at the same time.
        var readers = 0
    }

    private let engine: any CarillonServer.StoreEngine
    private let state = Mutex(Counts())
    private let reading = Mutex(0)

    init(_ engine: any CarillonServer.StoreEngine) { self.engine = engine }

    /// The counts since this was last asked.
    func taken() -> Counts {
        state.withLock { state in
            defer { state = Counts() }
            return state
        }
    }

    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await engine.inTransaction { connection in
            let before = connection.statementsCount
            let counting = CountingConnection(connection)
            defer {
                self.state.withLock {
                    $0.written.append(connection.statementsCount - before)
                    $0.writtenRows.append(counting.rowsCount)
                }
            }
            return try body(counting)
        }
    }

    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await engine.besideTransactions(body) }

    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let now = reading.withLock { reading in
            reading += 1
            return reading
        }
        defer { reading.withLock { $0 -= 1 } }
        state.withLock { $0.readers = max($0.readers, now) }
        // Callers that come meanwhile are here before this one leaves.
        for _ in 0..<100 { await Task.yield() }
        return try await engine.onSnapshot { connection in
            let before = connection.statementsCount
            defer { self.state.withLock { $0.read.append(connection.statementsCount - before) } }
            return try body(connection)
        }
    }

    var meter: DatabaseMeter { engine.meter }
    var waitingWrites: Int { engine.waitingWrites }
    func begin(_ sender: String) throws -> (any Sendable)? { try engine.begin(sender) }
    func isGone(_ sender: String) -> Bool { engine.isGone(sender) }
    func forget(_ sender: String) { engine.forget(sender) }
    func removeTraces() async { await engine.removeTraces() }
    func wasWrittenElsewhere() async throws -> Bool? { try await engine.wasWrittenElsewhere() }
    func announce(_ announcement: StoreAnnouncement) { engine.announce(announcement) }
    func announcements() -> AsyncStream<StoreAnnouncement> { engine.announcements() }
}
