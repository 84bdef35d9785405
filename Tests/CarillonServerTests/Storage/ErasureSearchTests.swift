import CarillonCore
import GRDB
import Testing

@testable import CarillonServer

@Suite("Erasing a user looks up what names the user")
struct ErasureSearchTests {
    @Test("each search of an erasure uses an index of every large table")
    func indexes() async throws {
        let store = try await StoreEngine.sqlite.make()
        let user = UserReference("u1", of: chime.number)
        let asked = SharedValue<[String]>([])
        try await store.write(at: noon) { session in
            let db = try #require(session.connection as? SQLiteSession).db
            db.trace(options: .statement) { event in asked.withLock { $0.append("\(event)") } }
            let erasing = Erasing(session)
            _ = try erasing.queuedDeliveries(for: user)
            _ = try erasing.ownMessages(of: user)
            _ = try erasing.details(of: user)
            _ = try erasing.deliveries(naming: user)
            _ = try erasing.rowsNaming(user)
            _ = try erasing.tagged(naming: user)
            _ = try ActivityPhonesTable(session).own(of: user)
            db.trace(options: .statement)
        }
        let searches = asked.withLock { $0 }.filter { $0.hasPrefix("SELECT") && $0 != Schema.versionQuery }
        #expect(searches.count == 15)
        for sql in searches {
            let plan = try await store.read { session in
                // A plan does not depend on the values.
                let values = SQLArguments([SQLValue](repeating: .null, count: sql.count { $0 == "?" }))
                return try session.rows("EXPLAIN QUERY PLAN \(sql)", values).compactMap { $0.text("detail") }
            }
            #expect(!plan.isEmpty)
            // Work is a small table, of what is not done yet.
            let small = ["SUBQUERY", "COMPOUND", "SCAN work"]
            let scans = plan.filter { line in line.hasPrefix("SCAN") && !small.contains { line.contains($0) } }
            #expect(scans == [], "\(sql)")
        }
    }
}
