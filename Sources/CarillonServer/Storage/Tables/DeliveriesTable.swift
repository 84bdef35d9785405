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
    /// - Parameters:
    ///   - addressing: the message and its recipients.
    ///   - push: the push's state.
    ///   - device: the device's id.
    ///   - user: the device's user; `nil` for none.
    ///   - channel: the number of the ``SendingChannel`` in which the push waits.
    /// - Returns: whether the row was inserted; false if the device already had one.
    /// - Throws: the errors of the database.
    func insertAddressed(
        _ addressing: StepwiseWork.Addressing, _ push: Push, on device: String, user: String?, channel: Int64
    ) throws -> Bool {
        try changes(
            Self.insertDelivery,
            [addressing.message, device, user, channel, addressing.lane.rawValue] + push.values) > 0
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

    /// Returns whether a push of this purpose, without a message (``OwnPushes``), waits for a device and is not in flight.
    func isWaiting(_ purpose: PushPurpose, _ device: String) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries
                WHERE device = ? AND state = 'queued' AND purpose = ? AND message IS NULL AND sender IS NULL)
            """, [device, purpose.rawValue]) > 0
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
