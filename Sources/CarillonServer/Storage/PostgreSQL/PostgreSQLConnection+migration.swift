/// Creates and upgrades the tables, in one process at a time.
extension PostgreSQLConnection {
    /// Creates the tables in an empty schema, or upgrades tables of an older version.
    ///
    /// The statements of an upgrade have no time-out, because they may have to read whole tables.
    ///
    /// - Parameters:
    ///   - forCopy: whether to accept the unfinished target of a copy, so that the copy can continue. The default is false.
    ///   - telling: a closure that receives sentences about an upgrade, for a log. The default does nothing.
    /// - Throws: ``ServiceError`` for tables of a newer version, for tables that are not Carillon's, and for an unfinished copy.
    func migrate(forCopy: Bool = false, telling: (String) -> Void = { _ in }) throws {
        var found: Int?
        try writingAnyVersion {
            guard try forCopy || !hasTable(CopiedTable.unfinished) else { throw ServiceError.isUnfinishedCopy }
            guard try hasTable(Schema.versionTable) || !hasTable("apps") else { throw ServiceError.hasOtherTables }
            found = try lockedVersion()
        }
        let steps = SchemaSteps(schema: schema)
        if let found, case .change = try steps.step(from: found) {
            telling(
                "a dump made before this upgrade is the only way back: 'pg_dump', as docs/postgresql.md says")
        }
        try steps.perform(from: found, telling: telling) { next in
            var filled: Int?
            try writingAnyVersion {
                try opened().run("SET LOCAL statement_timeout = 0")
                let step = try next(try lockedVersion())
                if case .none = step { return }
                filled = try steps.perform(step, on: .postgreSQL) { try opened().run($0).changes }
            }
            return filled
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
    ///
    /// This reads the catalog itself. `to_regclass` answers from a cache of the session, which can miss a table that another
    /// process created while this process waited for the writers' lock.
    func hasTable(_ name: String) throws -> Bool {
        let search = "SELECT FROM pg_tables WHERE tablename = ? AND schemaname = ANY (current_schemas(false))"
        return try row("SELECT EXISTS (\(search)) AS is_there", [name])?["is_there"] == true
    }
}
