/// The tables of a database: the SQL that creates them, their version, and the upgrades from older versions.
///
/// A new database gets the SQL of ``creation(for:)`` and then every upgrade, so its tables equal those of an upgraded database.
/// The table `carillon_schema` stores the version in its only row. The store reads this version at every start and in every
/// writing transaction, because another process may upgrade the database meanwhile.
///
/// An upgrade consists of steps, each in a transaction of its own (``step(from:)``), so an interrupted upgrade continues at the
/// next start. During an upgrade the stored version is a negative number, and every other process refuses to write.
struct Schema: Sendable {
    /// The tables that this program needs.
    static let current = Schema(upgrades: upgrades)

    /// All changes of the tables since Carillon 0.1.0.
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

    /// A step that a database needs to get the tables of this program's version.
    enum Step {
        /// Creates all tables in an empty database.
        case create
        /// Changes the tables to the upgrade's version.
        case change(Upgrade)
        /// Fills the columns or tables that the upgrade has added, a bounded number of rows at a time.
        case fill(Upgrade)
        /// No step is left to do.
        case none
    }

    /// Decides the next step for a database.
    ///
    /// - Parameter found: the number in the table `carillon_schema`: the version of the tables, or minus the version to which
    ///   an upgrade has begun; `nil` for a database without tables.
    /// - Returns: the step.
    /// - Throws: ``ServiceError`` for tables of a newer version.
    func step(from found: Int?) throws -> Step {
        guard let found else { return .create }
        if found == version { return .none }
        let next = found < 0 ? -found : found + 1
        guard next > Self.firstVersion, let upgrade = upgrades.first(where: { $0.version == next }) else {
            try require(found)
            return .none
        }
        return found < 0 ? .fill(upgrade) : .change(upgrade)
    }

    /// Performs one step in the caller's transaction, including the change of the version.
    ///
    /// - Parameters:
    ///   - step: the result of ``step(from:)`` in this transaction.
    ///   - engine: the engine of the database.
    ///   - run: runs the given statements, which are separated by semicolons, and returns the number of rows that the last
    ///     statement has changed.
    /// - Returns: the number of rows that a step ``Step/fill(_:)`` has filled; 0 for the other steps.
    /// - Throws: the errors of `run`.
    func perform(_ step: Step, on engine: SQLDialect.Engine, run: (String) throws -> Int) throws -> Int {
        switch step {
        case .none: break
        case .create:
            _ = try run(Self.creation(for: engine))
            for upgrade in upgrades { _ = try run(upgrade.changes(for: engine)) }
            _ = try run("INSERT INTO \(Self.versionTable) (version) VALUES (\(version))")
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
        _ = try run("UPDATE \(Self.versionTable) SET version = \(version)")
    }

    /// Checks that the database's version is this program's version.
    ///
    /// - Parameter found: the number read by ``versionQuery``, which is negative during an upgrade; `nil` if the database has
    ///   none.
    /// - Throws: ``ServiceError`` if the versions differ. Its description says what the operator must do.
    func require(_ found: Int?) throws {
        guard found != version else { return }
        if let found, found < 0 {
            throw ServiceError(
                .version,
                """
                the tables are being upgraded to version \(-found), or the upgrade was interrupted: if it does not end, start \
                the newer version of Carillon again, which continues it
                """)
        }
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
