/// Bringing the tables up to date: forward only, one process at a time.
extension PostgreSQLConnection {
    /// Makes the tables in an empty schema, and checks that another's are of this version.
    ///
    /// - Parameter forCopy: whether an unfinished copy may be there, because it is to be gone on with.
    /// - Throws: ``ServiceError`` when a newer version has written there, or a copy is unfinished.
    func migrate(forCopy: Bool = false) throws {
        try writing {
            guard try forCopy || !hasTable(CopiedTable.unfinished) else { throw ServiceError.isUnfinishedCopy }
            guard try hasTable("carillon_schema") else { return try create() }
            var version = try row("SELECT max(version) AS version FROM carillon_schema", [])?["version"] as Int?
            while let known = version, let statements = PostgreSQLSchema.upgrades[known + 1] {
                if !statements.isEmpty { try opened().run(statements) }
                try execute("INSERT INTO carillon_schema (version) VALUES (?)", [known + 1])
                version = known + 1
            }
            guard version == PostgreSQLSchema.version else {
                throw ServiceError(
                    .storage,
                    """
                    the tables are of version \(version ?? 0), and this is a program for version \(PostgreSQLSchema.version); \
                    start the version that wrote them, or one that is newer still
                    """)
            }
        }
    }

    /// Whether a table is there.
    func hasTable(_ name: String) throws -> Bool {
        try row("SELECT to_regclass(CAST(? AS TEXT)) IS NOT NULL AS is_there", [name])?["is_there"] == true
    }

    private func create() throws {
        let handle = try opened()
        try handle.run("CREATE TABLE carillon_schema (version BIGINT PRIMARY KEY)")
        for statements in PostgreSQLSchema.creation { try handle.run(statements) }
        try execute("INSERT INTO carillon_schema (version) VALUES (?)", [PostgreSQLSchema.version])
    }
}
