/// The tables of a database: the SQL that creates them, their version, and the upgrades from older versions.
///
/// A new database gets the SQL of ``creation(for:)`` and then every upgrade, so its tables equal those of an upgraded database.
/// The table `carillon_schema` stores the version in its only row. The store reads it at every start and in every writing
/// transaction, because another process may upgrade the database meanwhile.
struct Schema: Sendable {
    /// A change of the tables from the previous version to `version`.
    struct Upgrade: Sendable {
        let version: Int
        private let statements: @Sendable (SQLDialect.Engine) -> String

        /// Makes an upgrade with the same SQL for both engines.
        ///
        /// - Parameters:
        ///   - version: the version of the tables after the change.
        ///   - sql: the statements in SQLite's dialect, separated by semicolons. For PostgreSQL, they are translated.
        init(to version: Int, _ sql: String) {
            self.init(to: version) { $0 == .sqlite ? sql : PostgreSQLText.tables(sql) }
        }

        /// Makes an upgrade with separate statements for each engine.
        ///
        /// - Parameters:
        ///   - version: the version of the tables after the change.
        ///   - statements: returns the statements for an engine, separated by semicolons.
        init(to version: Int, _ statements: @escaping @Sendable (SQLDialect.Engine) -> String) {
            (self.version, self.statements) = (version, statements)
        }

        func sql(for engine: SQLDialect.Engine) -> String { statements(engine) }
    }

    /// The tables that this program needs.
    static let current = Schema(upgrades: upgrades)

    /// All changes of the tables since 0.1.0.
    ///
    /// The first upgrade leads to version 2. A released upgrade is never edited.
    private static let upgrades: [Upgrade] = []

    /// The query that reads the version.
    static let versionQuery = "SELECT version FROM carillon_schema"
    static let versionTable = "carillon_schema"

    /// The version of the tables before any upgrade.
    private static let firstVersion = 1

    let upgrades: [Upgrade]

    init(upgrades: [Upgrade]) { self.upgrades = upgrades }

    /// The version of the tables after all upgrades.
    var version: Int { upgrades.last?.version ?? Self.firstVersion }

    /// Creates the tables in an empty database, or upgrades tables of an older version, in the caller's transaction.
    ///
    /// - Parameters:
    ///   - found: the version of the tables; `nil` for a database without tables.
    ///   - engine: the engine of the database.
    ///   - run: runs the given statements, which are separated by semicolons.
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
    /// - Parameter found: the version read by ``versionQuery``; `nil` if the database has none.
    /// - Throws: ``ServiceError`` whose description says what to do, if the versions differ.
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

    /// Returns the SQL that creates all tables, their indexes and their triggers.
    private static func creation(for engine: SQLDialect.Engine) -> String {
        let tables = "\(versions)\n\(accounts)\n\(devices)\n\(messages)\n\(deliveries)\n\(ranges)"
        return switch engine {
        case .sqlite: "\(tables)\n\(sqliteTriggers)"
        case .postgreSQL: "\(PostgreSQLText.tables(tables))\n\(PostgreSQLText.translated(postgreSQLTriggers))"
        }
    }

    private static let versions = "CREATE TABLE carillon_schema (version INTEGER NOT NULL) STRICT;"
}
