import CarillonCore
import Foundation

/// The store's calls about the audit list, which says who changed what.
///
/// The store's other calls, such as ``KeyCalls``, add the entries for their own changes in the transaction of the change.
package struct AuditCalls: Sendable {
    let transactions: Transactions

    /// Adds an entry for a change that no other call of the store records.
    package func add(_ note: AuditNote, at now: Timestamp) async throws {
        try await transactions.write(at: now) { try AuditTable($0).add(note) }
    }

    /// Adds an entry, unless the newest entry with its action and subject has equal details.
    ///
    /// For example, a service that starts again with unchanged settings adds no entry.
    ///
    /// - Returns: whether the call added the entry.
    @discardableResult
    package func addIfChanged(_ note: AuditNote, at now: Timestamp) async throws -> Bool {
        try await transactions.write(at: now) { session in
            let audit = AuditTable(session)
            guard try audit.details(of: note.action, note.subject) != note.details else { return false }
            try audit.add(note)
            return true
        }
    }

    /// Returns the newest entries, or those before a given entry, newest first.
    ///
    /// - Parameters:
    ///   - number: only entries with a smaller number are returned; `nil` to begin with the newest entry.
    ///   - app: the bundle id of the app whose entries are wanted; `nil` for all.
    ///   - limit: the greatest number of entries.
    /// - Returns: the entries.
    /// - Throws: the errors of the database.
    package func entries(before number: Int64? = nil, of app: String? = nil, limit: Int) async throws -> [AuditEntry] {
        try await transactions.read { try AuditTable($0).entries(before: number, of: app, limit: limit) }
    }

    /// Checks by the entries' digests whether an entry was changed, inserted or removed.
    ///
    /// The digests alone do not show that the newest entries were removed. For this, the caller gives the digest of the newest
    /// entry that it knows.
    ///
    /// - Parameter kept: the digest of an entry that must still be in the list; `nil` for none.
    /// - Returns: the number of entries, the last entry, and the mistakes found.
    /// - Throws: the errors of the database.
    package func check(kept: Data? = nil) async throws -> AuditCheck {
        try await transactions.read { try AuditTable($0).check(kept) }
    }
}
