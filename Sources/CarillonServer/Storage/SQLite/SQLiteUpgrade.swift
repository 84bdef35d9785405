import CarillonCore
import GRDB

/// How far the upgrade of an older database has come.
package struct UpgradeProgress: Sendable, Hashable {
    /// What is being copied, such as `deliveries`.
    package var table: String
    /// Rows copied so far, and in all.
    package var done: Int
    package var total: Int
}

/// Copies a database of version 2 into the tables in which everything belongs to an app.
///
/// In steps of ``ServiceLimits/upgradedRowsPerStep`` rows, each a transaction that also notes how far it has come: after a
/// crash the next start goes on there. The old tables stay until all is copied; the migration
/// ``SQLiteSchema/appsMigration`` then puts the new ones in their place.
struct SQLiteUpgrade {
    /// The tables that are copied, in this order: later ones look up what earlier ones have.
    static let tables = ["devices", "messages", "idempotency", "inbox", "deliveries", "removals", "events"]

    let pool: DatabasePool
    let now: Timestamp
    var rowsPerStep = ServiceLimits.upgradedRowsPerStep
    let report: @Sendable (UpgradeProgress) -> Void

    /// Copies all that is not copied yet.
    ///
    /// - Parameter limit: steps after which it stops; the default is none.
    /// - Throws: what SQLite reports.
    func run(steps limit: Int = .max) throws {
        try pool.write { try prepare($0) }
        var steps = limit
        for table in Self.tables { try copy(table, steps: &steps) }
    }

    /// Makes the new tables, the apps and whose keys are whose, the first time.
    private func prepare(_ db: Database) throws {
        guard try !db.tableExists("upgrade") else { return }
        for sql in [SQLiteSchema.accounts, SQLiteSchema.messages, SQLiteSchema.deliveries] { try db.execute(sql: sql) }
        // Without it each entry of an inbox would be held against all deliveries of its message. It goes with the table.
        try db.execute(sql: "CREATE INDEX deliveries_of_users ON deliveries (message, user, revision)")
        try db.execute(
            sql: "CREATE TABLE upgrade (\"table\" TEXT PRIMARY KEY NOT NULL, last ANY, last2 ANY, done INTEGER) STRICT")
        try db.execute(
            sql: """
                INSERT INTO apps (topic, created)
                SELECT topic, ? FROM (SELECT topic FROM devices UNION SELECT topic FROM messages) ORDER BY topic
                """, arguments: [now.millisecondsSince1970])
        try db.execute(
            sql: "INSERT INTO api_key_apps (key, app) SELECT api_keys.id, apps.number FROM api_keys JOIN apps")
    }

    private func copy(_ table: String, steps: inout Int) throws {
        let total = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        guard total > 0 else { return }
        var done = 0
        while steps > 0 {
            steps -= 1
            let step = try pool.write { try self.step(table, in: $0) }
            done = step.done
            if step.copied == 0 { return }
            report(UpgradeProgress(table: table, done: min(done, total), total: total))
        }
    }

    private func step(_ table: String, in db: Database) throws -> (copied: Int, done: Int) {
        let progress = try Row.fetchOne(db, sql: "SELECT * FROM upgrade WHERE \"table\" = ?", arguments: [table])
        let done: Int = progress?["done"] ?? 0
        let keys = Self.keys(table)
        // The last row of the step, found first, so that what is copied and what is noted are the same rows.
        let last = try Row.fetchOne(
            db,
            sql: """
                SELECT *, count(*) OVER () AS rows FROM (
                    SELECT \(keys.joined(separator: ", ")) FROM \(table)
                    WHERE \(progress == nil ? "true" : "(\(keys.joined(separator: ", "))) > (\(Self.marks(keys)))")
                    ORDER BY \(keys.joined(separator: ", ")) LIMIT \(rowsPerStep)
                ) ORDER BY \(keys.map { "\($0) DESC" }.joined(separator: ", ")) LIMIT 1
                """, arguments: progress.map { Self.position($0, keys) } ?? [])
        guard let last else { return (0, done) }
        let count: Int = last["rows"]
        let upTo: StatementArguments = StatementArguments(keys.map { last[$0] as DatabaseValue })
        let from = progress.map { Self.position($0, keys) }
        let range =
            "(\(Self.qualified(keys))) <= (\(Self.marks(keys)))"
            + (from == nil ? "" : " AND (\(Self.qualified(keys))) > (\(Self.marks(keys)))")
        try db.execute(sql: Self.copying(table, range), arguments: upTo + (from ?? []))
        try db.execute(
            sql: "INSERT OR REPLACE INTO upgrade (\"table\", last, last2, done) VALUES (?, ?, ?, ?)",
            arguments: [
                table, last[keys[0]] as DatabaseValue, keys.count > 1 ? last[keys[1]] as DatabaseValue : .null,
                done + count,
            ])
        return (count, done + count)
    }

    // MARK: What is copied

    /// By which columns a table is gone through.
    private static func keys(_ table: String) -> [String] {
        switch table {
        case "inbox": ["user", "message"]
        case "removals": ["device", "message"]
        case "devices", "idempotency": ["rowid"]
        default: ["number"]
        }
    }

    private static func marks(_ keys: [String]) -> String { keys.map { _ in "?" }.joined(separator: ", ") }

    private static func qualified(_ keys: [String]) -> String { keys.map { "old.\($0)" }.joined(separator: ", ") }

    private static func position(_ progress: Row, _ keys: [String]) -> StatementArguments {
        let columns = ["last", "last2"].prefix(keys.count)
        return StatementArguments(columns.map { progress[$0] as DatabaseValue })
    }
}
