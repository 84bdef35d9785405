/// The tables of a database: the SQL that creates them, their version, and the upgrades from older versions.
///
/// A new database gets the SQL of ``creation(for:)`` and then every upgrade, so its tables equal those of an upgraded database.
/// The table `carillon_schema` stores the version in its only row. The store reads this version at every start and in every
/// writing transaction, because another process may upgrade the database meanwhile.
///
/// ``SchemaSteps`` upgrades a database step by step. During an upgrade, the stored version is a negative number, so that every
/// other process refuses to write.
struct Schema: Sendable {
    /// The tables that this program needs.
    static let current = Schema(upgrades: upgrades)

    /// All changes of the tables since Carillon 0.1.0, oldest first.
    ///
    /// The first upgrade leads to version 2. A released upgrade is never edited.
    private static let upgrades: [SchemaUpgrade] = [LocalTimeUpgrade.upgrade]

    /// The query that reads the version of a database's tables.
    static let versionQuery = "SELECT version FROM carillon_schema"
    static let versionTable = "carillon_schema"

    /// The version of the tables before any upgrade.
    static let firstVersion = 1

    let upgrades: [SchemaUpgrade]

    init(upgrades: [SchemaUpgrade]) { self.upgrades = upgrades }

    /// The version of the tables after all upgrades, which this program needs.
    var version: Int { upgrades.last?.version ?? Self.firstVersion }

    /// Requires that the tables of a database have the version that this program needs.
    ///
    /// - Parameter found: the number that ``versionQuery`` has read, which is negative during an upgrade; `nil` if the database
    ///   stores none.
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

    /// Returns the SQL that creates all tables of the first version, with their indexes and triggers.
    static func creation(for engine: SQLDialect.Engine) -> String {
        let tables =
            "\(versions)\(accounts)\(SendersTable.creation)\(AuditTable.creation)\(devices)\(messages)\(deliveries)\(ranges)\(ActivitiesTable.creation)\(ActivityChannelsTable.creation)\(WidgetTokensTable.creation)\(FeedTable.creation)\(WebhooksTable.creation)\(FiguresTable.creation)\(RemovedAppsTable.creation)\(AlarmsTable.creation)\(TemplatesTable.creation)"
        return switch engine {
        case .sqlite: "\(tables)\n\(sqliteTriggers)"
        case .postgreSQL: "\(PostgreSQLText.tables(tables))\n\(PostgreSQLText.translated(postgreSQLTriggers))"
        }
    }

    private static let versions = "CREATE TABLE carillon_schema (version INTEGER NOT NULL) STRICT;"
}
