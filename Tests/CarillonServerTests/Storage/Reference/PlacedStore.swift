import CarillonCore

@testable import CarillonServer

/// A process at PostgreSQL that notes, from within each transaction, where in the order of all transactions it has its place.
///
/// Who writes draws the next number and leaves it behind; who reads sees the highest that its snapshot has. Nobody waits for
/// anybody because of that.
struct PlacedStore: TransactionalStore {
    let store: PostgreSQLStore
    /// Of the transactions since ``taken()``.
    private let places = SharedValue<[Int64]>([])

    init(_ store: PostgreSQLStore) { self.store = store }

    /// Makes what ``PlacedStore`` needs beside the service's own tables.
    static func prepare(_ store: PostgreSQLStore) async throws {
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

    func write<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        placed(
            try await store.write(at: now) { transaction in
                let place = try transaction.integer("SELECT nextval('turns')")
                try transaction.execute("INSERT INTO places (place) VALUES (?)", [place])
                return (try body(transaction), Int64(place))
            })
    }

    func writeBeside<Value: Sendable>(
        _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await store.writeBeside(body)
    }

    func read<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        placed(
            try await store.read(at: now) { transaction in
                (try body(transaction), Int64(try transaction.integer("SELECT max(place) FROM places")))
            })
    }

    private func placed<Value>(_ result: (value: Value, place: Int64)) -> Value {
        places.withLock { $0.append(result.place) }
        return result.value
    }

    var ranges: RangeRules { store.ranges }
    func begin(_ sender: String) throws -> (any Sendable)? { try store.begin(sender) }
    func isGone(_ sender: String) -> Bool { store.isGone(sender) }
    func forget(_ sender: String) { store.forget(sender) }
    func removeTraces() async { await store.removeTraces() }
}
