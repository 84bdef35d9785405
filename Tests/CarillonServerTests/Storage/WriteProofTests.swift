import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("A write that shows whether the database can be written")
struct WriteProofTests {
    @Test("succeeds, and leaves nothing behind", arguments: StoreEngine.allCases)
    func proof(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.upkeep.proveWritable()
        #expect(try await store.transactions.read { try $0.integer("SELECT count(*) FROM senders") } == 0)
    }

    @Test("fails with the reason while SQLite may only read, and not for good")
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let engine = try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path)
        let upkeep = Store(engine).upkeep
        try await engine.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = ON") }
        let error = await #expect(throws: ServiceError.self) { try await upkeep.proveWritable() }
        #expect(error?.code == .unwritable && error?.mayPass == true, "\(String(describing: error))")
        #expect(error?.description.contains("readonly database") == true, "\(String(describing: error))")
        try await engine.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try await upkeep.proveWritable()
    }
}
