import CarillonCore
import GRDB
import Testing

@testable import CarillonServer

/// A broadcast that counts as unread is in the number on the icon of each push to a device with a user.
@Suite("The number on the icon is looked up for all pushes of a claim at once", .serialized)
struct BadgeStatementTests {
    private static let users = 40

    /// A store with a device for each user, and a broadcast that counts, which all of them have been sent.
    private func store() async throws -> Store {
        let store = try await StoreEngine.sqlite.make(ranges: RangeRules(devices: 3, chunkDevices: 64))
        for number in 0..<Self.users {
            try await store.enrol(device("d\(number)", user: "u\(number)"), at: noon)
        }
        _ = try await store.accept(try message("first", to: .everyone), at: noon)
        try await store.deliverAll()
        return store
    }

    /// Counts the statements that SQLite runs during `body` and that begin with `words`.
    private func statements(_ store: Store, _ words: String = "", _ body: () async throws -> Void) async throws
        -> Int
    {
        let database = store
        let log = SharedValue(0)
        try await database.write(at: noon) { session in
            let db = try #require(session.connection as? SQLiteSession).db
            db.trace(options: .statement) { event in
                if words.isEmpty || "\(event)".hasPrefix(words) { log.withLock { $0 += 1 } }
            }
        }
        try await body()
        try await database.write(at: noon) { session in
            try #require(session.connection as? SQLiteSession).db.trace(options: [])
        }
        return log.withLock { $0 }
    }

    @Test("of single messages")
    func single() async throws {
        let store = try await store()
        var counts: [Int] = []
        for (round, users) in [3, 30].enumerated() {
            for number in 0..<users {
                _ = try await store.accept(try message("m\(round)-\(number)", to: .users(["u\(number)"])), at: noon)
            }
            var pushes: [ClaimedDelivery] = []
            // A lease is written row by row; what is asked is asked for all of them.
            counts.append(
                try await statements(store, "SELECT") {
                    pushes = try await store.claim(everything(), at: noon).deliveries
                })
            #expect(pushes.count == users)
            #expect(pushes.filter { $0.device == "d1" }.map(\.unread) == [2 + round], "the broadcast and its own")
            try await store.settle(pushes.map { $0.settled() }, at: noon)
        }
        #expect(counts[0] == counts[1], "\(counts)")
    }

    @Test("of a broadcast, and of its removals")
    func broadcast() async throws {
        let store = try await store()
        for number in 0..<Self.users {
            _ = try await store.accept(try message("own\(number)", to: .users(["u\(number)"])), at: noon)
        }
        try await store.deliverAll()
        _ = try await store.accept(try message("second", to: .everyone), at: noon)
        // It plans the chunk.
        try await store.settle(
            try await store.claim(everything(limit: 1), at: noon).deliveries.map { $0.settled() }, at: noon)
        var counts: [Int] = []
        for limit in [2, 30] {
            var pushes: [ClaimedDelivery] = []
            counts.append(
                try await statements(store) {
                    pushes = try await store.claim(everything(limit: limit), at: noon).deliveries
                })
            #expect(pushes.count == limit && pushes.allSatisfy { $0.purpose == .show && $0.unread == 3 })
            try await store.settle(pushes.map { $0.settled() }, at: noon)
        }
        #expect(counts[0] == counts[1], "\(counts)")
        _ = try await store.recall(MessageID(test: "second"), at: noon)
        counts = []
        for limit in [2, 30] {
            var pushes: [ClaimedDelivery] = []
            counts.append(
                try await statements(store) {
                    pushes = try await store.claim(everything(limit: limit), at: noon).deliveries
                })
            #expect(pushes.count == limit && pushes.allSatisfy { $0.purpose == .removal && $0.unread == 2 })
            try await store.settle(pushes.map { $0.settled() }, at: noon)
        }
        #expect(counts[0] == counts[1], "\(counts)")
    }
}
