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

    /// Returns whether a device has been asked to remove a message and has not confirmed the removal.
    func isOpen(_ message: Int64, on device: String) throws -> Bool {
        try integer(
            "SELECT count(*) FROM removals WHERE device = ? AND message = ? AND confirmed IS NULL",
            [device, message]) > 0
    }

    /// Returns messages that a device has been asked to remove, if the request (a row of `removals`) meets an SQL condition.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - condition: an SQL condition on the columns of the table `removals`.
    ///   - arguments: the values for the condition's question marks.
    /// - Returns: the messages of the newest requests, at most ``DeliveryLimits/removalsPerPush``.
    /// - Throws: the errors of the database.
    func subjects(of device: String, where condition: String, _ arguments: SQLArguments) throws -> [PushSubject] {
        try rows(
            """
            SELECT removals.message, messages.id, removals.revision, removals.reason
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device = ? AND (\(condition))
            ORDER BY removals.requested DESC, messages.id LIMIT ?
            """, [device] + arguments + [DeliveryLimits.removalsPerPush]
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
