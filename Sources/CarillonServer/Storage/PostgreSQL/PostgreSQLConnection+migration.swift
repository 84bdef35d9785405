/// Creates and upgrades the tables, in one process at a time.
extension PostgreSQLConnection {
    /// Creates the tables in an empty schema, or upgrades tables of an older version.
    ///
    /// - Parameter forCopy: whether to accept the unfinished target of a copy, so that the copy can continue. The default is
    ///   false.
    /// - Throws: ``ServiceError`` for tables of a newer version, for tables that are not Carillon's, and for an unfinished
    ///   copy.
    func migrate(forCopy: Bool = false) throws {
        try writingAnyVersion {
            guard try forCopy || !hasTable(CopiedTable.unfinished) else { throw ServiceError.isUnfinishedCopy }
            guard try hasTable(Schema.versionTable) || !hasTable("apps") else { throw ServiceError.hasOtherTables }
            try schema.bringUpToDate(from: try lockedVersion(), on: .postgreSQL) { try opened().run($0) }
        }
    }

    /// Returns the version of the tables; `nil` for a schema without tables.
    private func lockedVersion() throws -> Int? {
        guard try hasTable(Schema.versionTable) else { return nil }
        if try row(Schema.versionQuery, [])?["version"] as Int? != schema.version {
            // Locks the table, because a sender's heartbeat reads the version without the writers' lock.
            try execute("LOCK TABLE \(Schema.versionTable) IN ACCESS EXCLUSIVE MODE", [])
        }
        return try row(Schema.versionQuery, [])?["version"]
    }

    /// Returns whether a table exists.
    func hasTable(_ name: String) throws -> Bool {
        try row("SELECT to_regclass(CAST(? AS TEXT)) IS NOT NULL AS is_there", [name])?["is_there"] == true
    }
}
