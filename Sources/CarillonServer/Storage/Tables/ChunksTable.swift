import CarillonCore
import Foundation

/// Reads and writes the tables `chunks` and `removal_leases`.
///
/// A row of `chunks` is a ``RangeChunk``: the deliveries of one message to a range of devices, kept as bitmaps with a bit for
/// each device. A row of `removal_leases` is a ``RemovalLease``: the removal pushes that one sender has in flight from a chunk.
///
/// A changed chunk stays in the session's cache, and ``keep()`` writes it to the database. Before that, SQL statements see the
/// columns of the unchanged chunk.
///
/// A chunk that cannot be decoded counts as missing, so that it does not block other chunks. If the session may write, it also
/// sets the chunk aside: senders skip it until an operator acts.
struct ChunksTable: StoreTable {
    let session: StoreSession

    /// Returns the ``RangeChunk`` with this number; `nil` if it does not exist or cannot be decoded.
    func chunk(_ number: Int64) throws -> StoredChunk? {
        if let known = session.cache.chunks[number] { return known }
        guard !session.cache.unreadable.contains(number) else { return nil }
        return try row("SELECT * FROM chunks WHERE number = ?", [number]).flatMap(read)
    }

    /// Returns a message's next chunks (``RangeChunk``) after the chunk with a given number, in the order of their numbers.
    ///
    /// By default, the result begins with the message's first chunk. It has at most `limit` chunks. A chunk has the deliveries
    /// of one message to a range of devices.
    func chunks(of message: Int64, after number: Int64 = 0, limit: Int = .max) throws -> [StoredChunk] {
        try rows(
            "SELECT * FROM chunks WHERE message = ? AND number > ? ORDER BY number LIMIT ?", [message, number, limit]
        ).compactMap(read)
    }

    /// Returns those of a message's chunks (``RangeChunk``) whose range begins at the device ordinal `first` (running number in
    /// the app).
    ///
    /// There can be one such chunk for each APNs environment and each revision of the message. A chunk has the deliveries of one
    /// message to a range of devices.
    func chunks(of message: Int64, at first: Int64) throws -> [StoredChunk] {
        try rows("SELECT * FROM chunks WHERE message = ? AND first = ? ORDER BY number", [message, first])
            .compactMap(read)
    }

    /// Returns those of a message's chunks (``RangeChunk``) whose ranges begin at one of several device ordinals.
    func chunks(of message: Int64, at firsts: [Int64]) throws -> [StoredChunk] {
        try rows(
            "SELECT * FROM chunks WHERE message = ? AND \(dialect.isAmongIntegers("first")) ORDER BY number",
            [message, Self.integers(firsts)]
        ).compactMap(read)
    }

    /// Returns whether a message's revision has a chunk (``RangeChunk``).
    func hasAny(of message: Int64, revision: Int) throws -> Bool {
        try integer(
            "SELECT EXISTS (SELECT 1 FROM chunks WHERE message = ? AND revision = ?)", [message, revision]) > 0
    }

    private func read(_ row: SQLRow) throws -> StoredChunk? {
        let number: Int64 = try row["number"]
        if let known = session.cache.chunks[number] { return known }
        let channel: Int64 = try row["channel"]
        let chunk: RangeChunk
        do {
            chunk = try row.rangeChunk()
        } catch {
            session.cache.unreadable.insert(number)
            if session.mayWrite { try setAside(number, because: error) }
            return nil
        }
        let stored = StoredChunk(
            number: number, message: try row["message"], first: try row["first"], channel: max(channel, -1 - channel),
            chunk: chunk)
        session.cache.chunks[number] = stored
        if chunk.isFinished { session.cache.finished.insert(number) }
        return stored
    }

    /// Changes a ``RangeChunk`` in the session's cache.
    ///
    /// ``keep()`` later writes the changed chunk to the database.
    ///
    /// - Parameters:
    ///   - number: the chunk's number.
    ///   - body: changes the chunk.
    /// - Returns: the value that `body` returns; `nil` if the chunk does not exist or cannot be decoded.
    /// - Throws: the errors of `body` and of the database.
    @discardableResult
    func change<Value>(_ number: Int64, _ body: (inout RangeChunk) throws -> Value) throws -> Value? {
        guard var stored = try chunk(number) else { return nil }
        let value = try body(&stored.chunk)
        session.cache.chunks[number] = stored
        session.cache.changed.insert(number)
        return value
    }

    /// Writes the chunks (``RangeChunk``) that the session has changed in its cache to the database.
    ///
    /// A chunk has the deliveries of one message to a range of devices.
    func keep() throws {
        for number in session.cache.changed.sorted() {
            guard let stored = session.cache.chunks[number] else { continue }
            var chunk = stored.chunk
            if chunk.isDone { chunk.endLease() }
            if chunk.isFinished, session.cache.finished.insert(number).inserted {
                session.maybeFinished.insert(stored.message)
            }
            try execute(
                """
                UPDATE chunks SET position = ?, rest = ?, open = ?, removing = ?, sender = ?, epoch = ?, handed_at = ?,
                    accepted_at = ?, reported_at = ?, follow = ?, revision = ?, withdrawn_at = ?, ended_at = ?, replaced_at = ?,
                    due = ?, marks = ?
                WHERE number = ?
                """, chunk.values + [number])
        }
        session.cache.changed = []
    }

    /// Inserts a ``RangeChunk``, which stores the deliveries of a message to a range of devices.
    ///
    /// - Parameters:
    ///   - chunk: the chunk.
    ///   - message: the message's number.
    ///   - first: the first device ordinal (running number in the app) that the chunk covers.
    ///   - channel: the number of the ``SendingChannel`` for the chunk's pushes. If the message is paused, the caller passes -1
    ///     minus this number, so that senders skip the chunk.
    /// - Returns: the chunk with its number.
    /// - Throws: the errors of the database.
    @discardableResult
    func insert(_ chunk: RangeChunk, message: Int64, first: Int64, channel: Int64) throws -> StoredChunk? {
        let number = try insertNumbered(
            """
            INSERT INTO chunks (position, rest, open, removing, sender, epoch, handed_at, accepted_at, reported_at, follow,
                revision, withdrawn_at, ended_at, replaced_at, due, marks, message, first, channel)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, chunk.values + [message, first, channel])
        let stored = number.map {
            StoredChunk(
                number: $0, message: message, first: first, channel: max(channel, -1 - channel), chunk: chunk)
        }
        if let stored { session.cache.chunks[stored.number] = stored }
        return stored
    }

    // MARK: Chunks with something to send

    /// Returns the chunks (``RangeChunk``) with waiting pushes that a sender may claim, as rows of `number` and `channel`.
    ///
    /// No other sender leases these chunks, and they are due. A chunk has the deliveries of one message to a range of devices.
    static func claimable(for sender: SenderNumber?, at now: Timestamp) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT number, channel FROM chunks
                WHERE open = 1 AND due <= ? AND channel >= 0 AND (sender IS NULL OR sender IS NOT DISTINCT FROM ?)
                ORDER BY due, number
                """, arguments: [now.millisecondsSince1970, sender?.rawValue])
    }

    /// Returns the first time after `now` at which a chunk (``RangeChunk``) falls due, in a row of `due`; no row if none waits
    /// for its time.
    static func nextDue(after now: Timestamp) -> SQLStatement {
        SQLStatement(
            sql: "SELECT due FROM chunks WHERE open = 1 AND due > ? AND channel >= 0 ORDER BY due LIMIT 1",
            arguments: [now.millisecondsSince1970])
    }

    /// Returns the chunks (``RangeChunk``) with devices to which a removal push must be sent, as rows of `number` and `channel`.
    ///
    /// A chunk has the deliveries of one message to a range of devices.
    static let removing = SQLStatement(
        sql: "SELECT number, channel FROM chunks WHERE removing = 1 AND problem IS NULL ORDER BY number")

    /// Returns the chunks (``RangeChunk``) whose second pushes are due, as rows of `number` and `channel`.
    ///
    /// A chunk has the deliveries of one message to a range of devices. A second push is a fallback or a recall's notice
    /// (``SecondPush``). It is due if its due time is at `moment` or earlier. A due time later than `latest` was stored before
    /// the clock was set back, so such a push counts as due too.
    static func following(at moment: Timestamp, orAfter latest: Timestamp) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT number, channel FROM chunks
                WHERE (follow <= ? OR follow > ?) AND channel >= 0 AND problem IS NULL ORDER BY follow, number
                """,
            arguments: [moment.millisecondsSince1970, latest.millisecondsSince1970])
    }

    /// Returns the earliest due time of the second pushes that wait in chunks (``RangeChunk``), for each ``SendingChannel`` with
    /// such chunks.
    ///
    /// A chunk has the deliveries of one message to a range of devices. A second push is a fallback or a recall's notice
    /// (``SecondPush``).
    func followUpsDue() throws -> [(channel: Int64, due: Timestamp)] {
        try rows(Self.followUpsDue).map { try ($0["channel"], try $0.requiredTimestamp("follow")) }
    }

    /// The query of ``followUpsDue()``.
    static let followUpsDue = SQLStatement(
        sql: """
            SELECT channel, min(follow) AS follow FROM chunks
            WHERE follow IS NOT NULL AND channel >= 0 AND problem IS NULL GROUP BY channel
            """)

    /// Returns the numbers of the chunks (``RangeChunk``) whose pushes a sender has reserved for itself by a lease.
    ///
    /// A chunk has the deliveries of one message to a range of devices.
    func held(by sender: SenderNumber) throws -> [Int64] {
        try rows(
            "SELECT number FROM chunks WHERE sender = ? AND problem IS NULL ORDER BY number", [sender.rawValue]
        ).map { try $0["number"] }
    }

    // MARK: Holding and setting aside

    /// Holds a message's chunks (``RangeChunk``), so that senders skip them; or ends the hold if `hold` is false.
    ///
    /// A chunk has the deliveries of one message to a range of devices.
    func hold(_ message: Int64, _ hold: Bool) throws {
        try execute(
            "UPDATE chunks SET channel = -1 - channel WHERE message = ? AND channel \(hold ? ">=" : "<") 0", [message])
    }

    /// Sets aside a ``RangeChunk`` that cannot be decoded, so that senders skip it until an operator acts.
    ///
    /// The session forgets those changes of the chunk that it has not written to the database yet.
    func setAside(_ number: Int64, because error: any Error) throws {
        session.cache.changed.remove(number)
        session.cache.chunks[number] = nil
        try execute(
            """
            UPDATE chunks SET open = 0, rest = CASE WHEN rest = 'skipped' THEN rest ELSE ? END, problem = ?
            WHERE number = ?
            """, [DeliveryState.setAside.rawValue, "\(error)", number])
    }

    /// Runs `body`, and sets a ``RangeChunk`` aside if `body` cannot decode something in it.
    ///
    /// Senders skip a chunk that is set aside until an operator acts.
    ///
    /// - Parameters:
    ///   - number: the chunk's number.
    ///   - body: works with the chunk.
    /// - Returns: the value that `body` returns; `nil` if the function has set the chunk aside.
    /// - Throws: the errors of the database.
    func settingAside<Value>(_ number: Int64, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as any EngineError {
            throw error
        } catch {
            try setAside(number, because: error)
            return nil
        }
    }

    /// Lets senders process again all chunks (``RangeChunk``) that are set aside.
    ///
    /// A chunk has the deliveries of one message to a range of devices. It is set aside, and senders skip it, if it cannot be
    /// decoded. The function ends the leases of all chunks that are set aside. Pushes that were in flight count as unanswered,
    /// and are not sent again.
    ///
    /// - Returns: the number of chunks that were set aside.
    func retrySetAside() throws -> Int {
        let found = try rows("SELECT number FROM chunks WHERE problem IS NOT NULL")
        for row in found {
            try execute("UPDATE chunks SET problem = NULL WHERE number = ?", [row["number"] as Int64])
            try session.cache.unreadable.remove(row["number"])
            try change(row["number"]) { $0.tryAgain() }
        }
        return found.count
    }

    /// Deletes at most `limit` chunks of a message, each with the deliveries to a range of devices (``RangeChunk``).
    ///
    /// The function also deletes the leases of the message's removal pushes.
    ///
    /// - Returns: the number of deleted chunks.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try execute(
            "DELETE FROM removal_leases WHERE chunk IN (SELECT number FROM chunks WHERE message = ?)", [message])
        return try deleteRows(of: message, in: "chunks", by: "number", limit: limit)
    }

    // MARK: Removals in flight

    /// Returns the lease under which a sender has removal pushes of a ``RangeChunk`` in flight; `nil` if there is none.
    func removalLease(of sender: SenderNumber, in chunk: Int64) throws -> RemovalLease? {
        try row(
            "SELECT chunk, sender, began, places FROM removal_leases WHERE chunk = ? AND sender = ?",
            [chunk, sender.rawValue]
        )?.removalLease()
    }

    /// Returns the leases (``RemovalLease``) of removal pushes whose senders have ended while the pushes were in flight.
    ///
    /// A sender without a row in `senders` counts as ended.
    func abandonedRemovalLeases() throws -> [RemovalLease] {
        try rows(
            """
            SELECT chunk, sender, began, places FROM removal_leases
            WHERE sender NOT IN (SELECT number FROM senders WHERE ended = 0) ORDER BY chunk, sender
            """
        ).map { try $0.removalLease() }
    }

    /// Stores a lease of removal pushes, or deletes it if none of its pushes is in flight any longer.
    func keep(_ lease: RemovalLease) throws {
        let name: SQLArguments = [lease.chunk, lease.sender.rawValue]
        guard !lease.places.isEmpty else {
            return try execute("DELETE FROM removal_leases WHERE chunk = ? AND sender = ?", name)
        }
        try execute(
            """
            INSERT INTO removal_leases (chunk, sender, began, places) VALUES (?, ?, ?, ?)
            ON CONFLICT (chunk, sender) DO UPDATE SET places = excluded.places
            """, name + [lease.began.millisecondsSince1970, lease.places.encoded])
    }

    /// Returns whether a removal push that was sent from a ``RangeChunk`` is in flight to a device.
    ///
    /// The parameter `ordinal` is the device's running number in the app.
    func isRemovalInFlight(to ordinal: Int64, of app: Int64) throws -> Bool {
        let rows = try rows(
            """
            SELECT removal_leases.*, chunks.first
            FROM removal_leases JOIN chunks ON chunks.number = removal_leases.chunk
                JOIN ranges ON ranges.message = chunks.message
            WHERE ranges.app = ? AND chunks.first <= ? AND chunks.first > ? - ranges.chunk_devices
            """, [app, ordinal, ordinal])
        return try rows.contains { try $0.removalLease().places.contains(Int(ordinal - ($0["first"] as Int64))) }
    }
}

extension RangeChunk {
    fileprivate var values: SQLArguments {
        [
            position, rest.rawValue, isOpen, !untold.isEmpty, sender?.rawValue, epoch,
            handedAt?.millisecondsSince1970, acceptedAt?.millisecondsSince1970, reportedAt?.millisecondsSince1970,
            followDue?.millisecondsSince1970, revision, withdrawnAt?.millisecondsSince1970,
            endedAt?.millisecondsSince1970, replacedAt?.millisecondsSince1970, due?.millisecondsSince1970 ?? 0,
            encodedMarks,
        ]
    }
}

extension SQLRow {
    fileprivate func rangeChunk() throws -> RangeChunk {
        let chunk = RangeChunk(
            encodedMarks: try self["marks"], position: try self["position"], rest: try choice("rest"),
            sender: (self["sender"] as Int64?).map(SenderNumber.init(rawValue:)), epoch: try self["epoch"])
        guard var chunk else { throw unreadable("marks") }
        chunk.handedAt = timestamp("handed_at")
        chunk.acceptedAt = timestamp("accepted_at")
        chunk.reportedAt = timestamp("reported_at")
        chunk.followDue = timestamp("follow")
        chunk.revision = try self["revision"]
        chunk.withdrawnAt = timestamp("withdrawn_at")
        chunk.endedAt = timestamp("ended_at")
        chunk.replacedAt = timestamp("replaced_at")
        let due: Int64 = try self["due"]
        chunk.due = due == 0 ? nil : Timestamp(millisecondsSince1970: due)
        return chunk
    }
}

extension SQLRow {
    fileprivate func removalLease() throws -> RemovalLease {
        // If the devices cannot be decoded, no push counts as in flight. The devices learn of the removals with their next push.
        let places = try DeviceSet(encoded: self["places"] as Data) ?? DeviceSet()
        return RemovalLease(
            chunk: try self["chunk"], sender: SenderNumber(rawValue: try self["sender"]),
            began: try requiredTimestamp("began"),
            places: places)
    }
}
