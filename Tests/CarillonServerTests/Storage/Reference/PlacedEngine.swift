import CarillonCore

@testable import CarillonServer

/// A process at PostgreSQL that notes, from within each transaction, where in the order of all transactions it has its place.
///
/// Who writes draws the next number and leaves it behind; who reads sees the highest that its snapshot has. Nobody waits for
/// anybody because of that.
struct PlacedEngine: CarillonServer.StoreEngine {
    private let engine: any CarillonServer.StoreEngine
    /// Of the transactions since ``taken()``.
    private let places = SharedValue<[Int64]>([])

    init(_ engine: any CarillonServer.StoreEngine) { self.engine = engine }

    /// Makes what ``PlacedEngine`` needs beside the service's own tables.
    static func prepare(_ store: Store) async throws {
        try await store.write(at: noon) { transaction in
            try transaction.execute("CREATE SEQUENCE turns")
            try transaction.execute("CREATE TABLE places (place BIGINT NOT NULL)")
            try transaction.execute("INSERT INTO places (place) VALUES (0)")
        }
    }

    /// The places of the transactions that have ended since this was last asked.
    func taken() -> [Int64] {
        places.withLock { places in
            defer { places = [] }
            return places
        }
    }

    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        placed(
            try await engine.inTransaction { connection in
                let place = try Self.place(connection)
                return (try body(connection), place)
            })
    }

    // Calls that begin together have their places in the order in which they begin.
    func inTransaction<Value: Sendable>(
        beginningWith begin: @escaping WriteBeginning<Value>
    ) async throws -> Value {
        placed(
            try await engine.inTransaction(beginningWith: { connection in
                let place = try Self.place(connection)
                let work = try begin(connection)
                return { (try work(), place) }
            }))
    }

    private static func place(_ connection: any SQLConnection) throws -> Int64 {
        let place: Int64? = try connection.row("SELECT nextval('turns')", [])?.value(at: 0)
        try connection.execute("INSERT INTO places (place) VALUES (?)", [place])
        return place ?? 0
    }

    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await engine.besideTransactions(body)
    }

    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        placed(
            try await engine.onSnapshot { connection in
                let place: Int64? = try connection.row("SELECT max(place) FROM places", [])?.value(at: 0)
                return (try body(connection), place ?? 0)
            })
    }

    private func placed<Value>(_ result: (value: Value, place: Int64)) -> Value {
        places.withLock { $0.append(result.place) }
        return result.value
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
