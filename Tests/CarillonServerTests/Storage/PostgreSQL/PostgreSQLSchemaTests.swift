import CarillonCore
import GRDB
import Testing

@testable import CarillonServer

@Suite("The tables of the engines")
struct PostgreSQLSchemaTests {
    /// The columns of each table, as the other engine would call their types.
    private func sqlite() async throws -> [String: Set<String>] {
        let store = try #require(try await StoreEngine.sqlite.makeEmpty() as? any TransactionalStore)
        return try await store.read { transaction in
            try Dictionary(
                grouping: transaction.rows(
                    """
                    SELECT tables.name AS "table", columns.name, columns.type, columns."notnull" FROM sqlite_master AS tables
                        JOIN pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name <> 'grdb_migrations'
                    """)
            ) { $0["table"] as String }.mapValues { rows in
                Set(rows.map { "\($0["name"] as String) \($0["type"] as String)" })
            }
        }
    }

    private func postgreSQL() async throws -> [String: Set<String>] {
        let store = try #require(try await StoreEngine.postgresql.makeEmpty() as? PostgreSQLStore)
        return try await store.read { transaction in
            try Dictionary(
                grouping: transaction.rows(
                    """
                    SELECT CAST(table_name AS TEXT) AS "table", CAST(column_name AS TEXT) AS name,
                        CASE CAST(data_type AS TEXT) WHEN 'bigint' THEN 'INTEGER' WHEN 'bytea' THEN 'BLOB' ELSE 'TEXT' END AS type
                    FROM information_schema.columns
                    WHERE table_schema = current_schema() AND table_name <> 'carillon_schema'
                    """)
            ) { $0["table"] as String }.mapValues { rows in
                Set(rows.map { "\($0["name"] as String) \($0["type"] as String)" })
            }
        }
    }

    @Test("have the same columns of the same types")
    func columns() async throws {
        let (first, second) = (try await sqlite(), try await postgreSQL())
        #expect(first.count > 15)
        #expect(first == second)
    }

    @Test("have the number of SQLite's last migration")
    func version() {
        let last = SQLiteSchema.migrator(at: noon).migrations.last
        let number = last?.split(separator: ":").first.map(String.init)
        #expect(number == String(PostgreSQLSchema.version))
    }

    @Test("compare every text byte by byte")
    func collation() async throws {
        let store = try #require(try await StoreEngine.postgresql.makeEmpty() as? PostgreSQLStore)
        let others = try await store.read { transaction in
            try transaction.rows(
                """
                SELECT CAST(table_name || '.' || column_name AS TEXT) AS name FROM information_schema.columns
                WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
                """
            ).map { $0["name"] as String }
        }
        #expect(others == [])
    }
}
