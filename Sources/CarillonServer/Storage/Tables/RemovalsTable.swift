import CarillonCore

/// Reads and writes the table `removals`: requests to phones to remove a message, and their confirmations.
struct RemovalsTable: StoreTable {
    let session: StoreSession

    /// Stores a request to a device to remove a message; if `removal` is `nil`, deletes the request.
    ///
    /// The request is deleted if the device must show the message after all, for example a newer revision of it.
    func keep(_ removal: RemovalRequest?, of message: Int64, on device: String) throws {
        guard let removal else {
            return try execute("DELETE FROM removals WHERE device = ? AND message = ?", [device, message])
        }
        try execute(
            """
            INSERT INTO removals (device, message, reason, revision, requested, confirmed) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (device, message) DO UPDATE SET reason = excluded.reason, revision = excluded.revision,
                requested = excluded.requested, confirmed = excluded.confirmed
            """,
            [
                device, message, removal.reason.rawValue, removal.revision,
                removal.requested.millisecondsSince1970, removal.confirmed?.millisecondsSince1970,
            ])
    }

    /// Returns at most `limit` of a device's unconfirmed removals (requests to remove a message), newest first.
    ///
    /// The rows have the columns `message` (the message's number), `id`, `revision`, `reason` and `requested`.
    func open(of device: String, limit: Int) throws -> [SQLRow] {
        try rows(
            """
            SELECT removals.message, messages.id, removals.revision, removals.reason, removals.requested
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device = ? AND removals.confirmed IS NULL
            ORDER BY removals.requested DESC, messages.id LIMIT ?
            """, [device, limit])
    }

    /// Stores that a push carries a device's requests to remove these messages.
    ///
    /// So ``subjects(of:abandoned:due:)`` finds them after the device has confirmed them, whatever the clocks of the senders say.
    ///
    /// - Parameters:
    ///   - revision: the push's revision.
    ///   - device: the device's id.
    ///   - app: the number of the device's app.
    ///   - messages: the ids of the messages. A message without a row in `removals` is left out.
    /// - Throws: the errors of the database.
    func note(push revision: Int, to device: String, of app: Int64, carries messages: [MessageID]) throws {
        guard !messages.isEmpty else { return }
        try execute(
            """
            UPDATE removals SET push = ? WHERE device = ? AND message IN (SELECT number FROM messages
                WHERE app = ? AND id IN (SELECT value FROM \(dialect.textsOfJSON) AS named))
            """, [revision, device, app, try Self.json(messages.map(\.rawValue))])
    }

    /// Returns whether a device has been asked to remove a message and has not confirmed the removal.
    func isOpen(_ message: Int64, on device: String) throws -> Bool {
        try integer(
            "SELECT count(*) FROM removals WHERE device = ? AND message = ? AND confirmed IS NULL",
            [device, message]) > 0
    }

    /// Returns the messages that a removal push may have removed, whose sender is gone.
    ///
    /// Those are the messages of all requests that the push carried (``note(push:to:of:carries:)``), and of those that the device
    /// has not confirmed, or confirmed after the push fell due. Times alone do not suffice: the process that stored the
    /// confirmation may have another clock than the one that queued the push.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - revision: the revision of the push.
    ///   - due: the time at which the push fell due.
    /// - Returns: the messages, those that the push carried first.
    /// - Throws: the errors of the database.
    func subjects(of device: String, abandoned revision: Int, due: Timestamp) throws -> [PushSubject] {
        // A request may have been carried by a newer push as well, whose number is greater; a chunk's number is negative.
        let isCarried = revision < 0 ? "removals.push = ?" : "removals.push >= ?"
        return try rows(
            """
            SELECT removals.message, messages.id, removals.revision, removals.reason
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device = ? AND (removals.confirmed IS NULL OR removals.confirmed >= ? OR \(isCarried))
            ORDER BY CASE WHEN \(isCarried) THEN 0 ELSE 1 END, removals.requested DESC, messages.id LIMIT ?
            """, [device, due.millisecondsSince1970, revision, revision, DeliveryLimits.removalsPerPush]
        ).map { try $0.subjectOfRemoval() }
    }

    /// Looks up the messages that removal pushes named, and returns them by device id.
    ///
    /// The result leaves out a message if the table `removals` has no request to this device to remove it, confirmed or not.
    ///
    /// - Parameter carried: the ids of the messages that the pushes named, by device id.
    /// - Returns: the messages of each device, the newest request first. Devices without messages are left out.
    /// - Throws: the errors of the database.
    func subjects(ofRemovals carried: [String: [MessageID]]) throws -> [String: [PushSubject]] {
        let messages = carried.values.reduce(into: Set()) { $0.formUnion($1) }
        let named = "IN (SELECT value FROM \(dialect.textsOfJSON) AS named)"
        let rows = try rows(
            """
            SELECT removals.device, removals.message, messages.id, removals.revision, removals.reason
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device \(named) AND messages.id \(named)
            ORDER BY removals.requested DESC, messages.id
            """, [try Self.json(carried.keys.sorted()), try Self.json(messages.map(\.rawValue).sorted())])
        return try rows.reduce(into: [:]) { subjects, row in
            let (device, subject): (String, PushSubject) = try (row["device"], try row.subjectOfRemoval())
            guard carried[device]?.contains(subject.message) == true else { return }
            subjects[device, default: []].append(subject)
        }
    }

    func drop(of device: String) throws { try execute("DELETE FROM removals WHERE device = ?", [device]) }

    /// Moves removals (requests to a device to remove a message) from the device `device` to the device `other`.
    ///
    /// A removal stays with `device` if `other` was already asked to remove this message.
    func move(from device: String, to other: String, where condition: String = "true") throws {
        try moveRows(in: "removals", from: device, to: other, by: ["message"], where: condition)
    }

    /// Deletes at most `limit` rows of one message, and returns the number of deleted rows.
    ///
    /// Each row is a request to a device to remove the message.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "removals", by: "device", limit: limit)
    }
}

extension SQLRow {
    fileprivate func subjectOfRemoval() throws -> PushSubject {
        PushSubject(
            number: try self["message"], message: try messageID("id"), revision: try self["revision"],
            why: (try choice("reason") as Removal.Reason).why)
    }
}
