import CarillonCore
import Foundation

extension MessagesTable {
    /// Returns the answer to a request that repeats an earlier one; `nil` if there was none.
    ///
    /// It serves requests whose content is found elsewhere, which may have changed since: what was asked counts.
    ///
    /// - Parameters:
    ///   - fingerprint: the hash of the request as received.
    ///   - id: the message's id in the request; `nil` if it names none.
    ///   - key: the request's idempotency key; `nil` for none.
    ///   - app: the app.
    /// - Returns: the answer of the earlier request.
    /// - Throws: the errors of the database.
    func answer(
        toRepetition fingerprint: Data, id: MessageID?, _ key: IdempotencyKey?, of app: AppNumber
    ) throws -> SendAnswer? {
        var found: SQLRow?
        if let key {
            found = try row(
                """
                SELECT messages.* FROM idempotency JOIN messages ON messages.number = idempotency.message
                WHERE idempotency.owner = ? AND idempotency.key = ? AND idempotency.fingerprint = ? AND messages.app = ?
                """, [key.owner, key.key, fingerprint, app.rawValue])
        }
        if found == nil, let id {
            found = try row(
                """
                SELECT * FROM messages
                WHERE app = ? AND id = ? AND fingerprint = ? AND recalled IS NULL AND cancelled IS NULL
                """, [app.rawValue, id.rawValue, fingerprint])
        }
        guard let row = found else { return nil }
        let isScheduled = row.timestamp("send_at").map { $0 > now } ?? false
        let devices: Int? = try row["ranged"] ? nil : row["devices"]
        return SendAnswer(
            id: try row.messageID("id"), state: isScheduled ? .scheduled : .accepted, devices: devices,
            reason: devices == 0 ? try row.nobody() : nil)
    }
}
