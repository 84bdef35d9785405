import CarillonCore
import Foundation

/// Adds entries to the table `audit`, the list of who changed what, and reads and checks them.
///
/// Triggers of the database refuse to change or delete a row of this table.
struct AuditTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table.
    static let creation = """
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            moment INTEGER NOT NULL,
            action TEXT NOT NULL,
            actor TEXT NOT NULL,
            app TEXT,
            subject TEXT NOT NULL,
            details TEXT NOT NULL,
            digest BLOB NOT NULL
        ) STRICT;
        """

    /// The query for the digest of the last entry, on which that of the next one depends.
    static let last = SQLStatement(sql: "SELECT digest FROM audit ORDER BY number DESC LIMIT 1")

    /// Adds an entry at the end of the list.
    func add(_ note: AuditNote) throws {
        let last = try row(Self.last)?["digest"] as Data? ?? Data()
        let entry = AuditEntry(
            number: 0, moment: now, action: note.action.rawValue, actor: note.actor.name, app: note.app,
            subject: note.subject, details: note.details, digest: Data())
        try execute(
            "INSERT INTO audit (moment, action, actor, app, subject, details, digest) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                now.millisecondsSince1970, entry.action, entry.actor, entry.app, entry.subject, entry.details,
                try entry.digest(after: last),
            ])
    }

    /// Returns the newest entries, or those before a given entry, newest first.
    ///
    /// - Parameters:
    ///   - number: only entries with a smaller number are returned; `nil` to begin with the newest entry.
    ///   - app: the bundle id of the app whose entries are wanted; `nil` for all.
    ///   - limit: the greatest number of entries.
    /// - Returns: the entries.
    /// - Throws: the errors of the database.
    func entries(before number: Int64?, of app: String?, limit: Int) throws -> [AuditEntry] {
        let number = number ?? .max
        guard let app else {
            return try rows("SELECT * FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?", [number, limit])
                .map(entry)
        }
        return try rows(
            "SELECT * FROM audit WHERE number < ? AND app = ? ORDER BY number DESC LIMIT ?", [number, app, limit]
        ).map(entry)
    }

    /// Returns the text `details` of the newest entry with this action and subject; `nil` if there is no such entry.
    func details(of action: AuditNote.Action, _ subject: String) throws -> String? {
        try row(
            "SELECT details FROM audit WHERE action = ? AND subject = ? ORDER BY number DESC LIMIT 1",
            [action.rawValue, subject]
        ).map { try $0["details"] }
    }

    /// Computes the digests of all entries and compares them with the stored ones.
    ///
    /// - Parameter kept: an entry's digest that the caller has kept from earlier; the check looks whether that entry is still in
    ///   the list. `nil` looks for no entry.
    /// - Returns: the number of entries, the last entry, and the mistakes found.
    /// - Throws: the errors of the database.
    func check(_ kept: Data?) throws -> AuditCheck {
        var check = AuditCheck(count: 0, hasKept: kept == nil)
        var digest = Data()
        while true {
            let entries = try rows(
                "SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?",
                [check.last?.number ?? .min, StoreLimits.rowsPerStep]
            ).map(entry)
            guard !entries.isEmpty else { return check }
            for entry in entries {
                if try entry.digest(after: digest) != entry.digest { check.broken = check.broken ?? entry.number }
                if entry.digest == kept { check.hasKept = true }
                digest = entry.digest
                check.count += 1
                check.last = entry
            }
        }
    }

    private func entry(_ row: SQLRow) throws -> AuditEntry {
        AuditEntry(
            number: try row["number"], moment: try row.requiredTimestamp("moment"), action: try row["action"],
            actor: try row["actor"], app: row.text("app"), subject: try row["subject"], details: try row["details"],
            digest: try row["digest"])
    }
}
