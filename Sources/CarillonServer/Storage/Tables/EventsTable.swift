import CarillonCore

/// Reads and writes the events of timelines: the table `events`.
struct EventsTable: StoreTable {
    let session: StoreSession

    /// Adds an event to a message's timeline and to its app's feed, and to the events that are published after the commit.
    func record(_ event: TimelineEvent, about message: Int64, receipt: String? = nil) throws {
        try execute(
            """
            INSERT INTO events
                (message, device, event, at, purpose, revision, attempt, reason, status, apns_id, detail, reply, receipt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                message, event.device, event.event.rawValue, event.at.millisecondsSince1970,
                event.purpose?.rawValue, event.revision, event.attempt, event.reason, event.status, event.apnsID,
                event.detail, event.reply, receipt,
            ])
        session.emit(event, about: message)
    }

    /// Adds an event about one push to a message's timeline, and to the events that are published after the commit.
    ///
    /// - Parameters:
    ///   - note: the event, without the ids of message and device.
    ///   - number: the message's number.
    ///   - message: the message's id.
    ///   - device: the installation's id.
    ///   - apnsID: the `apns-id` of the push, as in ``TimelineEvent/apnsID``. The default, `nil`, means the id that is computed
    ///     from the message, the device, and the push's purpose and revision.
    /// - Throws: the errors of the database.
    func record(
        _ note: DeliveryNote, about number: Int64, _ message: MessageID, on device: String, apnsID: String? = nil
    ) throws {
        try record(TimelineEvent(note, message: message, device: device, apnsID: apnsID), about: number)
    }

    /// Returns the newest events of a message on one device, in the order in which they happened.
    ///
    /// The result has at most ``StoreLimits/timelineEventsPerDevice`` events.
    func events(of number: Int64, _ message: MessageID, on device: String) throws -> [TimelineEvent] {
        let newest = try rows(
            "SELECT * FROM events WHERE message = ? AND device = ? ORDER BY at DESC, number DESC LIMIT ?",
            [number, device, StoreLimits.timelineEventsPerDevice])
        return try newest.reversed().map { try $0.event(about: message) }.inCausalOrder()
    }

    func events(after number: Int64, limit: Int) throws -> [TimelineEvent] {
        try rows(
            """
            SELECT events.*, messages.id FROM events JOIN messages ON messages.number = events.message
            WHERE events.number > ? ORDER BY events.number DESC LIMIT ?
            """, [number, limit]
        ).reversed().map { try $0.event(about: try $0.messageID("id")) }
    }

    // MARK: Receipts

    func isNew(_ receipt: Receipt, about message: Int64, from device: String) throws -> Bool {
        let known = try row(Self.known(receipt, from: device))?["count"] ?? 0
        let count = try row(Self.receipts(about: message, from: device))?["count"] ?? 0
        return known == 0 && count < StoreLimits.receiptsPerDeviceAndMessage
    }

    /// Returns the query for the number of events that record a receipt, 0 or 1.
    static func known(_ receipt: Receipt, from device: String) -> SQLStatement {
        SQLStatement(
            sql: "SELECT count(*) AS count FROM events WHERE device = ? AND receipt = ?",
            arguments: [device, receipt.id])
    }

    /// Returns the query for the number of a device's receipts about a message.
    static func receipts(about message: Int64, from device: String) -> SQLStatement {
        SQLStatement(
            sql: "SELECT count(*) AS count FROM events WHERE message = ? AND device = ? AND receipt IS NOT NULL",
            arguments: [message, device])
    }

    func replies(to message: Int64) throws -> Int {
        try integer(
            "SELECT count(DISTINCT device) FROM events WHERE message = ? AND reply IS NOT NULL", [message])
    }

    /// Erases from the event of a receipt what a person chose or typed: its columns `detail` and `reply`.
    func eraseDetails(_ number: Int64) throws {
        try execute("UPDATE events SET detail = NULL, reply = NULL WHERE number = ?", [number])
    }

    // MARK: Other devices

    /// Moves events from one device to another.
    ///
    /// An event stays with the first device if the other device already has an event with an equal `receipt`.
    ///
    /// - Parameters:
    ///   - device: the device that has the events.
    ///   - other: the device that gets the events.
    ///   - condition: an SQL condition on the rows to move.
    /// - Throws: the errors of the database.
    func move(from device: String, to other: String, where condition: String) throws {
        try moveRows(in: "events", from: device, to: other, by: ["receipt"], where: condition)
    }

    /// Moves events from an imported device to the installation that replaces it.
    ///
    /// The function moves only events about messages for which the imported device has rows in `deliveries`.
    func moveDelivered(from device: String, to other: String) throws {
        try execute(
            """
            UPDATE events SET device = ? WHERE device = ?
                AND message IN (SELECT message FROM deliveries WHERE device = ? AND message IS NOT NULL)
            """, [other, device, device])
    }

    /// Deletes at most `limit` events of a message, and returns their number.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "events", by: "number", limit: limit)
    }
}
