import Synchronization

@testable import CarillonServer

/// An engine whose transactions fail while a test wants it, as on a full disk; what it has can still be read.
final class FailingEngine: CarillonServer.StoreEngine {
    private let engine: any CarillonServer.StoreEngine
    private let fault = Mutex<ServiceError?>(nil)

    init(_ engine: any CarillonServer.StoreEngine) { self.engine = engine }

    /// Lets each further transaction fail with this error; with `nil`, none does.
    func fail(_ error: ServiceError?) { fault.withLock { $0 = error } }

    private func check() throws { if let error = fault.withLock(\.self) { throw error } }

    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try check()
        return try await engine.inTransaction(body)
    }

    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try check()
        return try await engine.besideTransactions(body)
    }

    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await engine.onSnapshot(body) }

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
