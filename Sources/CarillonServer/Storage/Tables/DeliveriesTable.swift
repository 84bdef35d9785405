import CarillonCore

/// Reads and writes the pushes that have rows: the table `deliveries`.
///
/// While a message is paused, its waiting pushes are held: they have the channel −1 − n instead of n, so that senders do not
/// find them.
struct DeliveriesTable: StoreTable {
    let session: StoreSession

    /// Inserts a row for a push and returns its number.
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
    /// - Returns: whether the row was inserted; false if the device already had one.
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

    /// Stores the state of a push.
    func keep(_ push: Push, _ number: Int64) throws {
        try execute(
            "UPDATE deliveries SET \(Push.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?",
            push.values + [number])
    }

    /// Stores which receipts a device has sent about a message, in the row with the purpose `show`.
    func keep(_ answers: ReceiptSet, _ show: Int64) throws {
        try execute("UPDATE deliveries SET answers = ? WHERE number = ?", [answers.rawValue, show])
    }

    /// Stores the device's user, in the row with the purpose `show`.
    func keep(owner: String?, _ show: Int64) throws {
        try execute("UPDATE deliveries SET user = ? WHERE number = ?", [owner, show])
    }

    /// Stores the device's user and its receipts, in the row with the purpose `show`.
    func keep(owner: String?, _ answers: ReceiptSet, _ show: Int64) throws {
        try execute(
            "UPDATE deliveries SET user = ?, answers = ? WHERE number = ?", [owner, answers.rawValue, show])
    }

    func delete(_ number: Int64) throws { try execute("DELETE FROM deliveries WHERE number = ?", [number]) }

    // MARK: The service's own pushes

    /// Returns whether one of the service's own pushes to a device is queued and not in flight.
    func isWaiting(_ purpose: PushPurpose, _ device: String) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries
                WHERE device = ? AND state = 'queued' AND purpose = ? AND message IS NULL AND sender IS NULL)
            """, [device, purpose.rawValue]) > 0
    }

    /// Stores the state of one of the service's own pushes, or deletes the push if nothing is left to send.
    func keep(own push: Push, _ number: Int64) throws {
        if push.state == .queued {
            try keep(push, number)
        } else {
            try execute("DELETE FROM deliveries WHERE number = ?", [number])
        }
    }

    /// Returns the row number of a removal push that a sender has sent; `nil` if the push was deleted since.
    func removalNumber(of sent: SentPush) throws -> Int64? {
        try row(
            "SELECT number FROM deliveries WHERE device = ? AND purpose = 'removal' AND message IS NULL AND revision = ?",
            [sent.device, sent.revision])?["number"]
    }

    /// Returns those of the devices for which a removal push waits that will carry all their removals.
    func waitingRemovals(of devices: [String]) throws -> Set<String> {
        let waiting = try rows(
            """
            SELECT device FROM deliveries WHERE device IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
                AND state = 'queued' AND purpose = 'removal' AND message IS NULL AND sender IS NULL
            """, [try Self.json(devices)])
        return try Set(waiting.map { try $0["device"] as String })
    }

    /// Deletes the service's own pushes to a device, except those in flight.
    func deleteOwnWaiting(of device: String) throws {
        try execute(
            "DELETE FROM deliveries WHERE device = ? AND state = 'queued' AND sender IS NULL AND \(Self.isOwnPush)",
            [device])
    }

    /// Deletes all of the service's own pushes to a device.
    func deleteOwn(of device: String) throws {
        try execute("DELETE FROM deliveries WHERE device = ? AND message IS NULL", [device])
    }

    /// The SQL condition that a row is one of the service's own pushes, which are deleted when they are done.
    static let isOwnPush = "purpose NOT IN ('show', 'fallback', 'notice')"

    // MARK: Unreadable rows

    /// Sets a row aside that cannot be decoded, until an operator acts, so that it does not block the others.
    func setAside(_ number: Int64, because error: any Error) throws {
        try execute(
            "UPDATE deliveries SET state = 'set-aside', sender = NULL, problem = ? WHERE number = ?",
            ["\(error)", number])
    }

    /// Queues all rows again that were set aside.
    ///
    /// - Returns: the number of queued rows.
    func retrySetAside() throws -> Int {
        try changes(
            "UPDATE deliveries SET state = 'queued', problem = NULL, due = ? WHERE state = 'set-aside'",
            [now.millisecondsSince1970])
    }

    // MARK: Messages

    /// Removes the user's name from a row.
    func eraseName(_ number: Int64) throws {
        try execute("UPDATE deliveries SET user = NULL WHERE number = ?", [number])
    }

    /// Deletes a message's next rows, at most `limit`, and returns their number.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "deliveries", by: "number", limit: limit)
    }
}
