import CarillonCore

/// Reads and writes the table `deliveries`, which has a row for each push that is not stored as a bit of a ``RangeChunk``.
///
/// While a message is paused, the column `channel` of its waiting pushes has -1 minus the channel's number, so that senders do
/// not find them.
struct DeliveriesTable: StoreTable {
    let session: StoreSession

    /// Inserts a row for a push and returns the row's number.
    ///
    /// - Parameters:
    ///   - push: the push's state.
    ///   - purpose: the push's purpose.
    ///   - message: the message's number; `nil` for a push about no single message.
    ///   - device: the device's id.
    ///   - channel: the number of the ``SendingChannel`` in which the push waits. If the message is paused, the caller passes -1
    ///     minus this number, so that senders skip the push.
    ///   - lane: the queue in which the push waits.
    /// - Returns: the row's number.
    /// - Throws: the errors of the database.
    @discardableResult
    func insert(
        _ push: Push, _ purpose: PushPurpose, message: Int64?, device: String, channel: Int64, lane: DeliveryLane
    ) throws -> Int64 {
        let number = try insertNumbered(
            """
            INSERT INTO deliveries (message, device, purpose, channel, lane, \(Push.columns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?\(String(repeating: ", ?", count: Push.columns.count)))
            """, [message, device, purpose.rawValue, channel, lane.rawValue] + push.values)
        return try number ?? notWritten("delivery")
    }

    /// Inserts the row for a message's push to a device, when the message is addressed to the device for the first time.
    ///
    /// A device that already has such a row keeps it. The function does not wait for PostgreSQL.
    ///
    /// - Parameters:
    ///   - addressing: the message and its recipients.
    ///   - push: the push's state.
    ///   - device: the device's id.
    ///   - user: the device's user; `nil` for none.
    ///   - channel: the number of the ``SendingChannel`` in which the push waits.
    /// - Returns: the inserted row's number, in a row; no row if the device already had one.
    /// - Throws: the errors of the database.
    func insertAddressed(
        _ addressing: StepwiseWork.Addressing, _ push: Push, on device: String, user: String?, channel: Int64
    ) throws -> LateRows {
        try later(
            "\(Self.insertDelivery) RETURNING number",
            [addressing.message, device, user, channel, addressing.lane.rawValue] + push.values)
    }

    private static let insertDelivery = """
        INSERT INTO deliveries (message, device, purpose, user, channel, lane, \(Push.columns.joined(separator: ", ")))
        VALUES (?, ?, 'show', ?, ?, ?\(String(repeating: ", ?", count: Push.columns.count)))
        ON CONFLICT (message, device, purpose) DO NOTHING
        """

    /// Stores the state of a push in the row with this number.
    func keep(_ push: Push, _ number: Int64) throws {
        try execute(
            "UPDATE deliveries SET \(Push.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?",
            push.values + [number])
    }

    /// Stores the set of receipts that a device has sent about a message.
    ///
    /// - Parameters:
    ///   - answers: the receipts.
    ///   - show: the number of the row with the purpose `show` for the message and the device.
    /// - Throws: the errors of the database.
    func keep(_ answers: ReceiptSet, _ show: Int64) throws {
        try execute("UPDATE deliveries SET answers = ? WHERE number = ?", [answers.rawValue, show])
    }

    /// Stores in a delivery's row the user who was signed in on the device when the message was addressed to the device.
    ///
    /// - Parameters:
    ///   - owner: the user's id; `nil` for none.
    ///   - show: the number of the row with the purpose `show` for the message and the device.
    /// - Throws: the errors of the database.
    func keep(owner: String?, _ show: Int64) throws {
        try execute("UPDATE deliveries SET user = ? WHERE number = ?", [owner, show])
    }

    /// Stores in a delivery's row a user and receipts.
    ///
    /// The user is the one who was signed in on the device when the message was addressed to the device. The receipts are those
    /// that the device has sent about the message.
    ///
    /// - Parameters:
    ///   - owner: the user's id; `nil` for none.
    ///   - answers: the receipts.
    ///   - show: the number of the row with the purpose `show` for the message and the device.
    /// - Throws: the errors of the database.
    func keep(owner: String?, _ answers: ReceiptSet, _ show: Int64) throws {
        try execute(
            "UPDATE deliveries SET user = ?, answers = ? WHERE number = ?", [owner, answers.rawValue, show])
    }

    func delete(_ number: Int64) throws { try execute("DELETE FROM deliveries WHERE number = ?", [number]) }

    // MARK: The service's own pushes

    /// Returns the query, inside one of the table `devices`, for a push of this purpose without a message (``OwnPushes``) that
    /// waits for the device and is not in flight.
    static func waiting(_ purpose: PushPurpose) -> SQLCondition {
        (
            """
            SELECT 1 FROM deliveries AS waiting WHERE waiting.device = devices.id AND waiting.state = 'queued'
                AND waiting.purpose = ? AND waiting.message IS NULL AND waiting.sender IS NULL
            """, [purpose.rawValue]
        )
    }

    /// Inserts the row of a push without a message (``OwnPushes``) to the device that meets a condition.
    ///
    /// The push gets the revision that the device was given last (``DevicesTable/takePushRevision(where:)``).
    ///
    /// - Parameters:
    ///   - purpose: the push's purpose.
    ///   - due: the SQL for the push's due time, in a query of the table `devices`; `nil` for now.
    ///   - target: selects the device in the table `devices`.
    /// - Throws: the errors of the database.
    func insert(own purpose: PushPurpose, due: String?, where target: SQLCondition) throws {
        let push = Push(revision: 0, queued: now, due: now)
        let environment = purpose == .tokenClaim ? "claimed_environment" : "environment"
        let values = Push.columns.map { column in
            switch column {
            case "revision": "devices.push_revision"
            case "due": due ?? "?"
            default: "?"
            }
        }
        let arguments = zip(Push.columns, push.values.values).filter { column, _ in
            column != "revision" && (column != "due" || due == nil)
        }
        try execute(
            """
            INSERT INTO deliveries (device, purpose, channel, lane, \(Push.columns.joined(separator: ", ")))
            SELECT devices.id, ?, \(SendingChannel.ofDevice(in: environment)), ?, \(values.joined(separator: ", "))
            FROM devices WHERE \(target.sql)
            """,
            [purpose.rawValue, DeliveryLane.single.rawValue] + SQLArguments(arguments.map(\.1)) + target.arguments)
    }

    /// Stores the state of a push without a message (``OwnPushes``).
    ///
    /// If the push is not queued any more, the function deletes the push's row instead.
    func keep(own push: Push, _ number: Int64) throws {
        if push.state == .queued {
            try keep(push, number)
        } else {
            try execute("DELETE FROM deliveries WHERE number = ?", [number])
        }
    }

    /// Returns the row number of a removal push that a sender has sent; `nil` if its row has been deleted.
    func removalNumber(of sent: SentPush) throws -> Int64? {
        try row(
            "SELECT number FROM deliveries WHERE device = ? AND purpose = 'removal' AND message IS NULL AND revision = ?",
            [sent.device, sent.revision])?["number"]
    }

    /// Returns the ids of those of the given devices for which a removal push already waits.
    ///
    /// When such a push is sent, it carries all removals of its device, so the device needs no second one.
    func waitingRemovals(of devices: [String]) throws -> Set<String> {
        let waiting = try rows(
            """
            SELECT device FROM deliveries WHERE device IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
                AND state = 'queued' AND purpose = 'removal' AND message IS NULL AND sender IS NULL
            """, [try Self.json(devices)])
        return try Set(waiting.map { try $0["device"] as String })
    }

    /// Deletes the service's own pushes (``OwnPushes``) to a device, except those in flight.
    func deleteOwnWaiting(of device: String) throws {
        try execute(
            "DELETE FROM deliveries WHERE device = ? AND state = 'queued' AND sender IS NULL AND \(Self.isOwnPush)",
            [device])
    }

    /// Deletes all of the service's own pushes (``OwnPushes``) to a device.
    func deleteOwn(of device: String) throws {
        try execute("DELETE FROM deliveries WHERE device = ? AND message IS NULL", [device])
    }

    /// Deletes all pushes to a device of a removed app.
    func deleteAll(of device: String) throws { try execute("DELETE FROM deliveries WHERE device = ?", [device]) }

    /// The SQL condition that selects the service's own pushes (``OwnPushes``), which show no message.
    ///
    /// The row of such a push is deleted when the push is done.
    static let isOwnPush = "purpose NOT IN ('show', 'fallback', 'notice')"

    // MARK: Unreadable rows

    /// Sets aside the row with this number, which cannot be decoded, so that senders skip it until an operator acts.
    func setAside(_ number: Int64, because error: any Error) throws {
        try execute(
            "UPDATE deliveries SET state = 'set-aside', sender = NULL, problem = ? WHERE number = ?",
            ["\(error)", number])
    }

    /// Queues again all rows of `deliveries` that are set aside.
    ///
    /// A row is set aside, and senders skip it, if it cannot be decoded.
    ///
    /// - Returns: the number of these rows.
    func retrySetAside() throws -> Int {
        try changes(
            "UPDATE deliveries SET state = 'queued', problem = NULL, due = ? WHERE state = 'set-aside'",
            [now.millisecondsSince1970])
    }

    // MARK: Messages

    /// Removes the user's id from a row of `deliveries`, because the user is erased.
    func eraseName(_ number: Int64) throws {
        try execute("UPDATE deliveries SET user = NULL WHERE number = ?", [number])
    }

    /// Deletes at most `limit` rows of a message from `deliveries`, and returns the number of deleted rows.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "deliveries", by: "number", limit: limit)
    }
}
