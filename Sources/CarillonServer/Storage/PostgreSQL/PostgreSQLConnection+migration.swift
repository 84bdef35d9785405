/// Bringing the tables up to date: forward only, one process at a time.
extension PostgreSQLConnection {
    /// Makes the tables in an empty schema, and checks that another's are of this version.
    ///
    /// - Throws: ``ServiceError`` when a newer version has written there.
    func migrate() throws {
        try writing {
            let known = try row("SELECT to_regclass('carillon_schema') IS NOT NULL AS is_there", [])
            guard known?["is_there"] == true else { return try create() }
            var version = try row("SELECT max(version) AS version FROM carillon_schema", [])?["version"] as Int?
            while let known = version, let statements = PostgreSQLSchema.upgrades[known + 1] {
                try opened().run(statements)
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

    private func create() throws {
        let handle = try opened()
        try handle.run("CREATE TABLE carillon_schema (version BIGINT PRIMARY KEY)")
        for statements in PostgreSQLSchema.creation { try handle.run(statements) }
        try execute("INSERT INTO carillon_schema (version) VALUES (?)", [PostgreSQLSchema.version])
    }
}
