/// Creates the tables of a database, or upgrades tables of an older version, step by step.
///
/// Each step is a transaction of its own, so an interrupted upgrade continues at the next start of the service.
struct SchemaSteps {
    /// The version and the SQL of the tables that the database has after all steps.
    let schema: Schema

    /// A step that brings a database's tables nearer to the version that this program needs.
    enum Step {
        /// Creates all tables in an empty database.
        case create
        /// Runs the statements of an upgrade that change the tables.
        case change(SchemaUpgrade)
        /// Writes values to a bounded number of rows in the columns or tables that an upgrade has added.
        case fill(SchemaUpgrade)
        /// No step is left to do.
        case none
    }

    /// Decides the next step for a database.
    ///
    /// - Parameter found: the version in the table `carillon_schema`; negative, such as -7, while an upgrade to version 7 is
    ///   unfinished; `nil` for a database without tables.
    /// - Returns: the step.
    /// - Throws: ``ServiceError`` for tables of a newer version.
    func step(from found: Int?) throws -> Step {
        guard let found else { return .create }
        if found == schema.version { return .none }
        let next = found < 0 ? -found : found + 1
        guard next > Schema.firstVersion, let upgrade = schema.upgrades.first(where: { $0.version == next }) else {
            try schema.require(found)
            return .none
        }
        return found < 0 ? .fill(upgrade) : .change(upgrade)
    }

    /// Performs one step in the transaction that the caller has begun, and stores the version that the tables have after it.
    ///
    /// - Parameters:
    ///   - step: the result of ``step(from:)`` in this transaction.
    ///   - engine: the engine of the database.
    ///   - run: runs the given statements, which are separated by semicolons, and returns the number of rows changed by the last
    ///     statement.
    /// - Returns: the number of rows to which a step ``Step/fill(_:)`` has written values; 0 for any other step.
    /// - Throws: the errors of `run`.
    func perform(_ step: Step, on engine: SQLDialect.Engine, run: (String) throws -> Int) throws -> Int {
        switch step {
        case .none: break
        case .create:
            _ = try run(Schema.creation(for: engine))
            for upgrade in schema.upgrades { _ = try run(upgrade.changes(for: engine)) }
            _ = try run("INSERT INTO \(Schema.versionTable) (version) VALUES (\(schema.version))")
        case .change(let upgrade):
            _ = try run(upgrade.changes(for: engine))
            try note(upgrade.fillings.isEmpty ? upgrade.version : -upgrade.version, run)
        case .fill(let upgrade):
            for filling in upgrade.fillings {
                let count = try run(filling)
                if count > 0 { return count }
            }
            try note(upgrade.version, run)
        }
        return 0
    }

    private func note(_ version: Int, _ run: (String) throws -> Int) throws {
        _ = try run("UPDATE \(Schema.versionTable) SET version = \(version)")
    }

    /// Performs all steps that a database needs, and reports the beginning, progress and end of an upgrade.
    ///
    /// - Parameters:
    ///   - found: the version that is stored before the first step; negative, such as -7, while an upgrade to version 7 is
    ///     unfinished; `nil` for a database without tables.
    ///   - telling: receives sentences for a log. It is not called if the database needs no upgrade.
    ///   - transaction: performs one step in a transaction of its own. Its argument decides which step follows the stored
    ///     version. It returns the number of rows to which the step has written values, or `nil` if no step was left.
    /// - Throws: ``ServiceError`` for tables of a newer version, and the errors of the database.
    func perform(
        from found: Int?, telling: (String) -> Void, transaction: (_ step: (Int?) throws -> Step) throws -> Int?
    ) throws {
        let isUpgrade = found != nil && found != schema.version
        if isUpgrade {
            telling("upgrading the tables to version \(schema.version): no process can write until the end")
        }
        var filled = 0
        while let count = try transaction(step) {
            if filled / StoreLimits.filledRowsPerSentence != (filled + count) / StoreLimits.filledRowsPerSentence {
                telling("upgrading the tables: \(filled + count) rows done")
            }
            filled += count
        }
        if isUpgrade { telling("the tables have version \(schema.version) now") }
    }
}
