/// An upgrade of the tables from the previous version to `version`.
struct SchemaUpgrade: Sendable {
    let version: Int
    /// The statements that write values to the columns or tables that the upgrade has added, in SQL that both engines understand.
    ///
    /// Each run of a statement changes at most ``StoreLimits/filledRowsPerStep`` rows. The upgrade repeats a statement until it
    /// changes no row, each time in a transaction of its own.
    let fillings: [String]
    private let statements: @Sendable (SQLDialect.Engine) -> String

    /// Makes an upgrade from SQL that the program can translate for both database engines.
    ///
    /// - Parameters:
    ///   - version: the version of the tables after the upgrade.
    ///   - sql: the statements in SQLite's dialect, separated by semicolons. The program translates them for PostgreSQL.
    ///   - fillings: the statements that put values into the columns and tables that `sql` has added (``fillings``). The default
    ///     is none.
    init(to version: Int, _ sql: String, fillings: [String] = []) {
        self.init(to: version, fillings: fillings) { $0 == .sqlite ? sql : PostgreSQLText.tables(sql) }
    }

    /// Makes an upgrade with separate statements for each database engine.
    ///
    /// - Parameters:
    ///   - version: the version of the tables after the upgrade.
    ///   - fillings: the statements that put values into the columns and tables that `statements` has added (``fillings``). The
    ///     default is none.
    ///   - statements: returns the statements for an engine, separated by semicolons.
    init(
        to version: Int, fillings: [String] = [], _ statements: @escaping @Sendable (SQLDialect.Engine) -> String
    ) {
        (self.version, self.fillings, self.statements) = (version, fillings, statements)
    }

    func changes(for engine: SQLDialect.Engine) -> String { statements(engine) }
}
