import CarillonCore
import CarillonServer
import Synchronization

/// An engine whose process dies at one of its transactions: just before it takes effect, or just after, before the caller
/// knows.
///
/// Every later transaction fails too, as in a process that is gone.
final class CrashingEngine: CarillonServer.StoreEngine {
    struct Crash: Error {}

    enum Moment { case before, after }

    private let engine: any CarillonServer.StoreEngine
    private let moment: Moment
    private let transactionsLeft: Mutex<Int>

    /// - Parameter transaction: which transaction from now on is the last, counted from 1.
    init(_ engine: any CarillonServer.StoreEngine, at transaction: Int, _ moment: Moment) {
        self.engine = engine
        self.moment = moment
        transactionsLeft = Mutex(transaction)
    }

    var hasCrashed: Bool { transactionsLeft.withLock { $0 <= 0 } }

    private func live<Value>(_ body: () async throws -> Value) async throws -> Value {
        let left = transactionsLeft.withLock { left in
            left -= 1
            return left
        }
        if left < 0 || (left == 0 && moment == .before) { throw Crash() }
        let value = try await body()
        if left == 0 { throw Crash() }
        return value
    }

    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await live { try await engine.inTransaction(body) } }

    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await live { try await engine.besideTransactions(body) } }

    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await live { try await engine.onSnapshot(body) } }

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
