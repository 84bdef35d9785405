/// Bringing the tables up to date: forward only, one process at a time.
extension PostgreSQLConnection {
    /// Makes the tables in an empty schema, or upgrades those of an older version.
    ///
    /// - Parameter forCopy: whether an unfinished copy may be there, because it is to be gone on with.
    /// - Throws: ``ServiceError`` for tables of a newer version, for tables that are not Carillon's, and for an unfinished
    ///   copy.
    func migrate(forCopy: Bool = false) throws {
        try writingAnyVersion {
            guard try forCopy || !hasTable(CopiedTable.unfinished) else { throw ServiceError.isUnfinishedCopy }
            guard try hasTable(Schema.versionTable) || !hasTable("apps") else { throw ServiceError.hasOtherTables }
            try schema.bringUpToDate(from: try lockedVersion(), on: .postgreSQL) { try opened().run($0) }
        }
    }

    /// The version of the tables; `nil` for a schema that has none.
    private func lockedVersion() throws -> Int? {
        guard try hasTable(Schema.versionTable) else { return nil }
        if try row(Schema.versionQuery, [])?["version"] as Int? != schema.version {
            // A sender's beat takes no turn, and has read the version without waiting for anybody.
            try execute("LOCK TABLE \(Schema.versionTable) IN ACCESS EXCLUSIVE MODE", [])
        }
        return try row(Schema.versionQuery, [])?["version"]
    }

    /// Whether a table is there.
    func hasTable(_ name: String) throws -> Bool {
        try row("SELECT to_regclass(CAST(? AS TEXT)) IS NOT NULL AS is_there", [name])?["is_there"] == true
    }
}
