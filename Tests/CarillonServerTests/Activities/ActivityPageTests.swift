import Testing

@testable import CarillonServer

@Suite("A page of a Live Activity's phones")
struct ActivityPageTests {
    @Test("joins the phones that it shows, and no others")
    func plan() async throws {
        let store = try await StoreEngine.sqlite.make()
        let page = ActivityPhonesTable.page(of: 1, after: 0, limit: 100)
        let plan = try await store.read { session in
            try session.rows("EXPLAIN QUERY PLAN \(page.sql)", page.arguments).compactMap { $0.text("detail") }
        }
        // The search that names the page's rows reads an index alone; sorting comes before the joins.
        #expect(
            Array(plan.prefix(4)) == [
                "SEARCH activity_phones USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 1",
                "SEARCH activity_phones USING COVERING INDEX activity_phones_of_activity (activity=?)",
                "USE TEMP B-TREE FOR ORDER BY",
            ])
        #expect(plan.filter { $0.contains("ORDER BY") }.count == 1)
    }
}
