import CarillonCore
import Foundation

/// Adds entries to the audit list and reads them: the table `audit`, whose rows the database lets nobody change.
struct AuditTable: StoreTable {
    let session: StoreSession

    /// Adds an entry at the end of the list.
    func add(_ note: AuditNote) throws {
        let last = try row("SELECT digest FROM audit ORDER BY number DESC LIMIT 1")?["digest"] as Data? ?? Data()
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

    /// Returns the entries with numbers below `number`, newest first, at most `limit`.
    ///
    /// - Parameters:
    ///   - number: the number; `nil` for the newest entries.
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

    /// Returns the details of the last entry with this action and subject; `nil` if there is none.
    func details(of action: AuditNote.Action, _ subject: String) throws -> String? {
        try row(
            "SELECT details FROM audit WHERE action = ? AND subject = ? ORDER BY number DESC LIMIT 1",
            [action.rawValue, subject]
        ).map { try $0["details"] }
    }

    /// Computes the digests of all entries and compares them with the stored ones.
    ///
    /// - Parameter kept: a digest that the caller has kept, to see that its entry is still there; `nil` for none.
    /// - Returns: the result.
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
