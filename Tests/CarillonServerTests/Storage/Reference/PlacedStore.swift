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

    func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        placed(
            try await store.inTransaction { connection in
                let place: Int64? = try connection.row("SELECT nextval('turns')", [])?.value(at: 0)
                try connection.execute("INSERT INTO places (place) VALUES (?)", [place])
                return (try body(connection), place ?? 0)
            })
    }

    func besideTransactions<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await store.besideTransactions(body)
    }

    func onSnapshot<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        placed(
            try await store.onSnapshot { connection in
                let place: Int64? = try connection.row("SELECT max(place) FROM places", [])?.value(at: 0)
                return (try body(connection), place ?? 0)
            })
    }

    private func placed<Value>(_ result: (value: Value, place: Int64)) -> Value {
        places.withLock { $0.append(result.place) }
        return result.value
    }

    var ranges: RangeRules { store.ranges }
    var contents: MessageContents { store.contents }
    func begin(_ sender: String) throws -> (any Sendable)? { try store.begin(sender) }
    func isGone(_ sender: String) -> Bool { store.isGone(sender) }
    func forget(_ sender: String) { store.forget(sender) }
    func removeTraces() async { await store.removeTraces() }
}
