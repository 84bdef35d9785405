/// The tables of a database: one text for both engines, a number that says which version they are, and the steps that
/// upgrade an older database.
///
/// A new database gets ``creation`` and then every upgrade, so it has the same tables as one that was upgraded. The
/// version stands in the table `carillon_schema`, which has one row. It is read at every start and in every transaction
/// that writes, because another process may upgrade the database while this one runs.
struct Schema: Sendable {
    /// A change of the tables that leads to `version` from the version before it.
    struct Upgrade: Sendable {
        let version: Int
        private let statements: @Sendable (SQLDialect.Engine) -> String

        /// - Parameters:
        ///   - version: the version that the tables have afterwards.
        ///   - sql: statements for both engines, in SQLite's words, separated by semicolons.
        init(to version: Int, _ sql: String) {
            self.init(to: version) { $0 == .sqlite ? sql : PostgreSQLText.tables(sql) }
        }

        /// - Parameters:
        ///   - version: the version that the tables have afterwards.
        ///   - statements: returns the statements for an engine, separated by semicolons.
        init(to version: Int, _ statements: @escaping @Sendable (SQLDialect.Engine) -> String) {
            (self.version, self.statements) = (version, statements)
        }

        func sql(for engine: SQLDialect.Engine) -> String { statements(engine) }
    }

    /// The tables that this program reads and writes.
    static let current = Schema(upgrades: upgrades)

    /// Every change of the tables since 0.1.0; the first leads to version 2.
    ///
    /// A step that was released is never changed.
    private static let upgrades: [Upgrade] = []

    /// The query that reads the version.
    static let versionQuery = "SELECT version FROM carillon_schema"
    static let versionTable = "carillon_schema"

    /// The version of the tables without any upgrade.
    private static let firstVersion = 1

    let upgrades: [Upgrade]

    init(upgrades: [Upgrade]) { self.upgrades = upgrades }

    /// The version that this program needs.
    var version: Int { upgrades.last?.version ?? Self.firstVersion }

    /// Makes the tables of an empty database, or upgrades those of an older version, in the caller's transaction.
    ///
    /// - Parameters:
    ///   - found: the version of the tables; `nil` for a database without tables.
    ///   - engine: the engine that runs the statements.
    ///   - run: runs statements that are separated by semicolons.
    /// - Throws: ``ServiceError`` for tables of a newer version, and the errors of `run`.
    func bringUpToDate(
        from found: Int?, on engine: SQLDialect.Engine, run: (String) throws -> Void
    ) throws {
        guard found != version else { return }
        if found == nil {
            try run(Self.creation(for: engine))
            try run("INSERT INTO carillon_schema (version) VALUES (\(version))")
        }
        let start = found ?? Self.firstVersion
        guard (Self.firstVersion...version).contains(start) else { return try require(start) }
        for upgrade in upgrades where upgrade.version > start { try run(upgrade.sql(for: engine)) }
        try run("UPDATE carillon_schema SET version = \(version)")
    }

    /// Compares the database's version with this program's.
    ///
    /// - Parameter found: the version that ``versionQuery`` has read.
    /// - Throws: ``ServiceError`` with what to do, where they differ.
    func require(_ found: Int?) throws {
        guard found != version else { return }
        let versions = "the tables are of version \(found ?? 0), and this program needs version \(version)"
        guard let found, found > version else {
            throw ServiceError(
                .version,
                "\(versions): an older version of Carillon has written them; start this program again, which upgrades them"
            )
        }
        throw ServiceError(
            .version,
            """
            \(versions): a newer version of Carillon has written them; start that version, or one that is newer still
            """)
    }

    /// Returns the statements that create all tables, their indexes and their triggers.
    private static func creation(for engine: SQLDialect.Engine) -> String {
        let tables = "\(versions)\n\(accounts)\n\(devices)\n\(messages)\n\(deliveries)\n\(ranges)"
        return switch engine {
        case .sqlite: "\(tables)\n\(sqliteTriggers)"
        case .postgreSQL: "\(PostgreSQLText.tables(tables))\n\(PostgreSQLText.translated(postgreSQLTriggers))"
        }
    }

    private static let versions = "CREATE TABLE carillon_schema (version INTEGER NOT NULL) STRICT;"
}
