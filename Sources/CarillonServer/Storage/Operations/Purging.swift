import CarillonCore

/// Deletes old messages with all their rows, and devices to which nothing could be sent for long.
///
/// Here ``StoreSession/now`` is not the present: the caller sets it to the time at which the retention period began. A message
/// is old if it was accepted before that time.
struct Purging: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let deliveries: DeliveriesTable
    private let removals: RemovalsTable
    private let events: EventsTable
    private let inbox: InboxTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let work: WorkTable
    private let devices: DevicesTable
    private let losing: LosingTokens

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        deliveries = DeliveriesTable(session)
        removals = RemovalsTable(session)
        events = EventsTable(session)
        inbox = InboxTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        work = WorkTable(session)
        devices = DevicesTable(session)
        losing = LosingTokens(session)
    }

    /// Returns the numbers of old messages that have nothing left to send, the oldest first.
    ///
    /// A message is old if it was accepted, and was due to be sent, before ``StoreSession/now``. Here this is not the present:
    /// the caller sets it to the time at which the retention period began.
    ///
    /// A message that is older by a further ``DeliveryLimits/deliveryLifetime`` is included even if it has something left to
    /// send.
    func oldMessages(limit: Int) throws -> [Int64] {
        let latest = (now - DeliveryLimits.deliveryLifetime).millisecondsSince1970
        return try rows(
            """
            SELECT number FROM messages WHERE accepted < ? AND coalesce(send_at, accepted) < ?
                AND (coalesce(send_at, accepted) < ? OR (
                    NOT EXISTS (SELECT 1 FROM deliveries WHERE message = messages.number AND state = 'queued')
                    AND NOT EXISTS (SELECT 1 FROM work WHERE message = messages.number)
                    AND NOT EXISTS (SELECT 1 FROM ranges WHERE message = messages.number AND open = 1)
                    AND NOT EXISTS (SELECT 1 FROM chunks WHERE message = messages.number
                        AND problem IS NULL AND (open = 1 OR removing = 1 OR sender IS NOT NULL OR follow IS NOT NULL
                            OR EXISTS (SELECT 1 FROM removal_leases WHERE removal_leases.chunk = chunks.number)))))
            ORDER BY accepted LIMIT ?
            """, [now.millisecondsSince1970, now.millisecondsSince1970, latest, limit]
        ).map { try $0["number"] }
    }

    /// Deletes a bounded number of a message's rows, and then the message itself if it has no other row left.
    ///
    /// - Returns: false if rows are left to delete; true if the message is deleted, or must stay because the backend has sent it
    ///   again.
    func purge(_ message: Int64) throws -> Bool {
        let isOld = try integer(
            "SELECT count(*) FROM messages WHERE number = ? AND accepted < ?", [message, now.millisecondsSince1970])
        guard isOld > 0 else { return true }
        return try delete(message, limit: StoreLimits.rowsPerStep).isDone
    }

    /// Deletes at most `limit` rows of a message, and then the message itself if it has no other row left.
    ///
    /// - Returns: the number of deleted rows, and whether the message itself is deleted.
    func delete(_ message: Int64, limit: Int) throws -> (rows: Int, isDone: Bool) {
        try work.drop(on: message)
        let tables: [(Int64, Int) throws -> Int] = [
            { try deliveries.purge($0, limit: $1) }, { try removals.purge($0, limit: $1) },
            { try events.purge($0, limit: $1) }, { try inbox.purge($0, limit: $1) },
            { try messages.purgeVariables(of: $0, limit: $1) }, { try chunks.purge($0, limit: $1) },
            { try ranges.purge($0, limit: $1) }, { try FiguresTable(session).purge($0, limit: $1) },
        ]
        var left = limit
        for purge in tables {
            left -= try purge(message, left)
            guard left > 0 else { return (limit - left, false) }
        }
        try messages.delete(message)
        return (limit - left, true)
    }

    /// Deletes at most `limit` devices that have been out of use for the whole retention period.
    ///
    /// A device is retired if no push can be sent to it any more, for example because APNs reported its token as no longer
    /// valid. The function deletes a device if it was retired, and made its last request, before ``StoreSession/now``.
    ///
    /// Here this is not the present: the caller sets it to the time at which the retention period began.
    ///
    /// - Returns: the number of deleted devices.
    func purgeDevices(limit: Int) throws -> Int {
        let ids = try devices.forgotten(limit: limit)
        for id in ids {
            try losing.delete(id, why: "nothing could be sent to the device for the whole retention", isNews: false)
        }
        return ids.count
    }

    /// Deletes those of the given devices that still claim a token which they can no longer prove to receive.
    ///
    /// - Returns: the number of deleted devices.
    func purgeUnproven(_ ids: [String]) throws -> Int {
        let unproven = try ids.filter(devices.isUnproven)
        for id in unproven {
            try losing.delete(id, why: "the device did not prove that it receives the token's pushes")
        }
        return unproven.count
    }

    /// Deletes at most `limit` old idempotency keys, and returns their number.
    func purgeRequests(limit: Int) throws -> Int { try messages.purgeRequests(limit: limit) }
}
