extension Schema {
    /// A change of the tables from the previous version to `version`.
    struct Upgrade: Sendable {
        let version: Int
        /// Statements that fill the columns or tables that the upgrade has added, in SQL that both engines understand.
        ///
        /// Each statement changes a bounded number of rows, at most ``StoreLimits/filledRowsPerStep``. The upgrade runs the
        /// statement in one transaction after another, until the statement changes no row.
        let fillings: [String]
        private let statements: @Sendable (SQLDialect.Engine) -> String

        /// Makes an upgrade with the same SQL for both engines.
        ///
        /// - Parameters:
        ///   - version: the version of the tables after the change.
        ///   - sql: the statements in SQLite's dialect, separated by semicolons. For PostgreSQL, they are translated.
        ///   - fillings: see ``fillings``. The default is none.
        init(to version: Int, _ sql: String, fillings: [String] = []) {
            self.init(to: version, fillings: fillings) { $0 == .sqlite ? sql : PostgreSQLText.tables(sql) }
        }

        /// Makes an upgrade with separate statements for each engine.
        ///
        /// - Parameters:
        ///   - version: the version of the tables after the change.
        ///   - fillings: see ``fillings``. The default is none.
        ///   - statements: returns the statements for an engine, separated by semicolons.
        init(
            to version: Int, fillings: [String] = [], _ statements: @escaping @Sendable (SQLDialect.Engine) -> String
        ) {
            (self.version, self.fillings, self.statements) = (version, fillings, statements)
        }

        func changes(for engine: SQLDialect.Engine) -> String { statements(engine) }
    }

    /// Performs all steps that a database needs, and reports an upgrade's beginning, progress and end.
    ///
    /// - Parameters:
    ///   - found: the stored version number before the first step, as for ``step(from:)``.
    ///   - telling: receives sentences for a log. It is not called for a database that needs no upgrade.
    ///   - transaction: runs a step in a transaction of its own. It reads the stored version number, calls its argument `step`
    ///     with that number, and returns the number of filled rows; `nil` if nothing was left to do.
    /// - Throws: ``ServiceError`` for tables of a newer version, and the errors of the database.
    func upgrade(
        from found: Int?, telling: (String) -> Void, transaction: (_ step: (Int?) throws -> Step) throws -> Int?
    ) throws {
        let isUpgrade = found != nil && found != version
        if isUpgrade { telling("upgrading the tables to version \(version): no process can write until the end") }
        var filled = 0
        while let count = try transaction(step) {
            if filled / StoreLimits.filledRowsPerSentence != (filled + count) / StoreLimits.filledRowsPerSentence {
                telling("upgrading the tables: \(filled + count) rows done")
            }
            filled += count
        }
        if isUpgrade { telling("the tables have version \(version) now") }
    }
}
