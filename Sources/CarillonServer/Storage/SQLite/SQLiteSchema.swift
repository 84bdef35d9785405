import CarillonCore
import GRDB

/// The tables, as a list of migrations that only grows.
///
/// Times are milliseconds since 1970.
enum SQLiteSchema {
    /// The migration after which everything belongs to an app; its tables are filled by ``SQLiteUpgrade`` before.
    static let appsMigration = "3: apps"
    static let beforeApps = "2: dialects, revisions of removals"

    /// All migrations, from the first version to this one.
    ///
    /// - Parameter now: from when on the tokens of an older database are tried.
    /// - Returns: the migrations, in their order.
    static func migrator(at now: Timestamp) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: keys, messages, devices, deliveries") { db in
            try db.execute(sql: firstAccounts)
            try db.execute(sql: firstMessages)
            try db.execute(sql: firstDeliveries)
        }
        migrator.registerMigration(beforeApps) { db in
            try db.execute(sql: "ALTER TABLE messages ADD COLUMN dialect TEXT NOT NULL DEFAULT 'carillon'")
            try db.execute(sql: "ALTER TABLE removals ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
        }
        migrator.registerMigration(appsMigration) { db in
            for table in SQLiteUpgrade.tables {
                try db.execute(sql: "DROP TABLE \(table)")
                try db.execute(sql: "ALTER TABLE new_\(table) RENAME TO \(table)")
            }
            try db.execute(sql: "DROP TABLE upgrade")
            try db.execute(sql: indexes)
            try db.execute(
                sql: """
                    UPDATE apps SET next_ordinal = 1 + coalesce(
                        (SELECT max(ordinal) FROM devices WHERE devices.app = apps.number), 0)
                    """)
            try queueTokenChecks(db, at: now)
        }
        migrator.registerMigration("4: senders") { try moveToSenders($0) }
        migrator.registerMigration("5: notices, ends, replies") { try addEnds($0) }
        migrator.registerMigration("6: counts of unread messages") { try countUnread($0) }
        migrator.registerMigration("7: audiences") { try addAudiences($0) }
        migrator.registerMigration("8: texts") { try addTexts($0) }
        migrator.registerMigration("9: schedules, pauses, rates") { try addSending($0) }
        migrator.registerMigration("10: imports") { try addImports($0) }
        migrator.registerMigration("11: attempts in flight") { try addAttempts($0) }
        // The count is kept since 6, and the primary key begins as this index does: each message wrote to it in vain.
        migrator.registerMigration("12: an index less") { try $0.execute(sql: "DROP INDEX inbox_unread") }
        registerRanges(in: &migrator)
        return migrator
    }

    private static func registerRanges(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("13: ranges") { try addRanges($0) }
        migrator.registerMigration("14: second pushes of ranges") { try addFollowUps($0) }
        migrator.registerMigration("15: replaced ranges") { try addReplacements($0) }
        migrator.registerMigration("16: places of tags") { try addTagPlaces($0) }
        // Which devices of a chunk have another token by now is asked with each answer of APNs'.
        migrator.registerMigration("17: unconfirmed places") { db in
            try db.execute(
                sql: """
                    CREATE INDEX devices_unconfirmed ON devices (app, ordinal) WHERE confirmed IS NULL AND ordinal IS NOT NULL
                    """)
        }
        migrator.registerMigration("18: removals in flight") { try addRemovalLeases($0) }
        // A version before does not read how chunks are kept from now on.
        migrator.registerMigration("19: shorter chunks") { _ in }
    }

    /// A token to which no push was ever accepted may be made up: each is tried, one after the other.
    private static func queueTokenChecks(_ db: Database, at now: Timestamp) throws {
        let interval = ServiceLimits.tokenCheckInterval.wholeMilliseconds
        try db.execute(
            sql: """
                INSERT INTO deliveries (message, device, purpose, user, revision, state, queued, due)
                SELECT NULL, id, ?, NULL, push_revision + 1, 'queued', ?,
                    ? + ? * row_number() OVER (PARTITION BY app ORDER BY number)
                FROM devices WHERE confirmed IS NULL AND state = 'active' AND token IS NOT NULL
                """,
            arguments: [
                PushPurpose.tokenCheck.rawValue, now.millisecondsSince1970, now.millisecondsSince1970, interval,
            ])
        try db.execute(sql: "UPDATE devices SET push_revision = push_revision + 1 WHERE confirmed IS NULL")
    }
}
