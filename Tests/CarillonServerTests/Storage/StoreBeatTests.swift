import CarillonCore
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("A sender's beat does not wait for others that write", .serialized)
struct StoreBeatTests {
    /// A transaction that stays open until it is let go.
    private final class OpenTransaction: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        /// The number of starts: one more after somebody who would not wait has ended it.
        private let runs = SharedValue(0)
        private let task: Task<Void, any Error>

        init(
            at store: Store, _ body: @escaping @Sendable (StoreSession) throws -> Void
        ) async {
            let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
            task = Task { [gate, runs] in
                try await store.write(at: noon) { transaction in
                    try body(transaction)
                    runs.withLock { $0 += 1 }
                    isEntered.finish()
                    gate.wait()
                    // It may be asked to do its work again.
                    gate.signal()
                }
            }
            for await _ in entered {}
        }

        func end() async throws {
            gate.signal()
            try await task.value
            #expect(runs.withLock { $0 } == 1)
        }
    }

    private func beat(of sender: SenderNumber, at store: Store) async throws -> Int {
        try await store.read { try $0.integer("SELECT beat FROM senders WHERE number = ?", [sender.rawValue]) }
    }

    @Test("at PostgreSQL it is told while another process writes, and while its own does")
    func beside() async throws {
        let address = try await StoreEngine.emptySchema()
        // On a busy machine the transaction stays open for longer than the server waits otherwise, which would end it.
        let patience = Duration.seconds(120)
        let (store, other) = (
            try await StoreEngine.postgreSQL(at: address, patience: patience),
            try await StoreEngine.postgreSQL(at: address, patience: patience)
        )
        let sender = try await store.sender("a")
        for writer in [store, other] {
            let open = await OpenTransaction(at: writer) { try $0.execute("INSERT INTO senders (name) VALUES ('b')") }
            let before = try await beat(of: sender, at: store)
            #expect(try await store.beat(sender).isEmpty, "what the other writes is not there yet")
            #expect(try await beat(of: sender, at: other) == before + 1)
            try await open.end()
            _ = try await store.write(at: noon) { try $0.execute("DELETE FROM senders WHERE name = 'b'") }
        }
    }

    @Test("with SQLite it goes before all calls that wait")
    func first() async throws {
        let store = try await StoreEngine.sqlite.make()
        let sender = try await store.sender("a")
        let open = await OpenTransaction(at: store) { _ in }
        let (seen, arrived) = (SharedValue<[Int]>([]), SharedValue(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    arrived.withLock { $0 += 1 }
                    try await store.write(at: noon) { transaction in
                        let beat = try transaction.integer("SELECT max(beat) FROM senders")
                        seen.withLock { $0.append(beat) }
                    }
                }
            }
            while arrived.withLock({ $0 }) < 20 { await Task.yield() }
            group.addTask { _ = try await store.beat(sender) }
            while store.sqlite.writer.waitingCount < 21 { await Task.yield() }
            try await open.end()
            try await group.waitForAll()
        }
        #expect(seen.withLock { $0 } == Array(repeating: 1, count: 20))
    }

    @Test("one whose leases are being taken over while it beats learns that it has ended")
    func takenOver() async throws {
        let address = try await StoreEngine.emptySchema()
        let (store, other) = (
            try await StoreEngine.postgreSQL(at: address), try await StoreEngine.postgreSQL(at: address)
        )
        let sender = try await store.sender("a")
        let open = await OpenTransaction(at: other) {
            // Asked how many rows it has changed, which it cannot say before it has.
            let ended = try $0.changes(
                "UPDATE senders SET ended = 1 WHERE number = ? AND beat = 0", [sender.rawValue])
            #expect(ended == 1)
        }
        let beating = Task { try await store.beat(sender) }
        let handle = try PostgreSQLHandle(url: address)
        let waiting = """
            SELECT CAST(count(*) AS TEXT) AS waiting FROM pg_locks AS mine JOIN pg_locks AS held
                ON held.transactionid = mine.transactionid AND held.granted
            WHERE NOT mine.granted AND EXISTS (SELECT 1 FROM pg_locks AS tables
                WHERE tables.pid = mine.pid AND tables.relation = CAST('senders' AS regclass))
            """
        while try handle.text(waiting) != "1" { await Task.yield() }
        try await open.end()
        await #expect(throws: SenderEnded.self) { try await beating.value }
        #expect(try await beat(of: sender, at: store) == 0)
    }
}
