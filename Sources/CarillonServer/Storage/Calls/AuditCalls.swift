import CarillonCore
import Foundation

/// The store's calls about the audit list, which says who changed what.
///
/// Calls of other groups add their entries themselves, in the transaction of the change.
package struct AuditCalls: Sendable {
    let transactions: Transactions

    /// Adds an entry for a change that no other call of the store records.
    package func add(_ note: AuditNote, at now: Timestamp) async throws {
        try await transactions.write(at: now) { try AuditTable($0).add(note) }
    }

    /// Adds an entry unless the last entry with its action and subject has the same details.
    ///
    /// A service that starts again with unchanged settings adds no entry.
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

    /// Returns entries, newest first.
    ///
    /// - Parameters:
    ///   - number: only entries before the one with this number; `nil` for the newest.
    ///   - app: the bundle id of the app whose entries are wanted; `nil` for all.
    ///   - limit: the greatest number of entries.
    /// - Returns: the entries.
    /// - Throws: the errors of the database.
    package func entries(before number: Int64? = nil, of app: String? = nil, limit: Int) async throws -> [AuditEntry] {
        try await transactions.read { try AuditTable($0).entries(before: number, of: app, limit: limit) }
    }

    /// Checks that no entry was changed, inserted or removed.
    ///
    /// Removed entries at the end of the list are noticed only with the digest of a later entry.
    ///
    /// - Parameter kept: the digest of an entry that must still be there; `nil` for none.
    /// - Returns: the result.
    /// - Throws: the errors of the database.
    package func check(kept: Data? = nil) async throws -> AuditCheck {
        try await transactions.read { try AuditTable($0).check(kept) }
    }
}
