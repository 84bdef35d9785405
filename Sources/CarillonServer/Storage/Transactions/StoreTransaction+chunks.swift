import CarillonCore
import Foundation

/// Messages that are sent by ranges, as they are kept: the tables `ranges` and `chunks`.
extension StoreTransaction {
    private static let rangedColumns =
        """
        ranges.*, messages.id, apps.topic, messages.mode, messages.dialect, messages.revision, messages.accepted,
        messages.send_at, messages.until, messages.recalled, messages.cancelled, messages.paused,
        messages.notice IS NOT NULL AS has_notice
        """

    private static let rangedJoin =
        "FROM ranges JOIN messages ON messages.number = ranges.message JOIN apps ON apps.number = ranges.app"

    /// A message that is sent by ranges; `nil` for one that has a row for each device.
    func ranged(_ message: Int64) throws -> RangedMessage? {
        if let known = cache.messages[message] { return known }
        let row = try row(
            "SELECT \(Self.rangedColumns) \(Self.rangedJoin) WHERE ranges.message = ?", [message])
        guard let row else { return nil }
        let read = try row.rangedMessage()
        cache.messages[message] = read
        return read
    }

    /// Forgets what was read of a message whose row is changed.
    func forgetRanged(_ message: Int64) {
        cache.messages[message] = nil
        cache.asking = [:]
    }

    // MARK: Chunks

    func chunk(_ number: Int64) throws -> StoredChunk? {
        if let known = cache.chunks[number] { return known }
        let row = try row("SELECT * FROM chunks WHERE number = ?", [number])
        return try row.map(read)
    }

    /// A message's chunks after one, in their order.
    func chunks(of message: Int64, after number: Int64 = 0, limit: Int = .max) throws -> [StoredChunk] {
        try rows(
            "SELECT * FROM chunks WHERE message = ? AND number > ? ORDER BY number LIMIT ?", [message, number, limit]
        ).map(read)
    }

    /// A message's chunks at one stretch of ordinals.
    func chunks(of message: Int64, at first: Int64) throws -> [StoredChunk] {
        try rows("SELECT * FROM chunks WHERE message = ? AND first = ? ORDER BY number", [message, first]).map(read)
    }

    private func read(_ row: SQLRow) throws -> StoredChunk {
        let number: Int64 = row["number"]
        if let known = cache.chunks[number] { return known }
        let channel: Int64 = row["channel"]
        let stored = StoredChunk(
            number: number, message: row["message"], first: row["first"], channel: max(channel, -1 - channel),
            chunk: try row.rangeChunk())
        cache.chunks[number] = stored
        return stored
    }

    /// Changes a chunk; it is written back at the end of the transaction.
    @discardableResult
    func change<Value>(_ number: Int64, _ body: (inout RangeChunk) throws -> Value) throws -> Value? {
        guard var stored = try chunk(number) else { return nil }
        let value = try body(&stored.chunk)
        cache.chunks[number] = stored
        cache.changed.insert(number)
        return value
    }

    /// Writes back what has changed.
    func keepChunks() throws {
        for number in cache.changed.sorted() {
            guard let stored = cache.chunks[number] else { continue }
            var chunk = stored.chunk
            if chunk.isDone { chunk.endLease() }
            try execute(
                """
                UPDATE chunks SET position = ?, rest = ?, open = ?, removing = ?, sender = ?, epoch = ?, handed_at = ?,
                    accepted_at = ?, reported_at = ?, follow = ?, revision = ?, withdrawn_at = ?, ended_at = ?, replaced_at = ?, marks = ?
                WHERE number = ?
                """, chunk.values + [number])
        }
        cache.changed = []
    }

    /// - Returns: the chunk with its number.
    @discardableResult
    func insert(_ chunk: RangeChunk, message: Int64, first: Int64, channel: Int64) throws -> StoredChunk? {
        let number = try insertNumbered(
            """
            INSERT INTO chunks (position, rest, open, removing, sender, epoch, handed_at, accepted_at, reported_at, follow,
                revision, withdrawn_at, ended_at, replaced_at, marks, message, first, channel)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, chunk.values + [message, first, channel])
        let stored = number.map {
            StoredChunk(
                number: $0, message: message, first: first, channel: max(channel, -1 - channel), chunk: chunk)
        }
        if let stored { cache.chunks[stored.number] = stored }
        return stored
    }

    // MARK: Devices

    /// The devices at places of a chunk, by their places; who is gone is missing.
    func devices(at places: [Int], of stored: StoredChunk, _ app: AppReference) throws -> [Int: SQLRow] {
        let ordinals = String(decoding: try CarillonJSON.encode(places.map { stored.first + Int64($0) }), as: UTF8.self)
        let rows = try rows(
            """
            SELECT devices.* FROM \(dialect.integersOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.app = ? AND devices.ordinal = wanted.value
            """, [ordinals, app.number.rawValue])
        return Dictionary(rows.map { (Int($0["ordinal"] as Int64 - stored.first), $0) }) { first, _ in first }
    }

    /// Where a message has a device; `nil` when it is not for it.
    func place(of message: RangedMessage, ordinal: Int64) throws -> ChunkPlace? {
        let (first, place) = message.place(of: ordinal)
        let numbers = try rows("SELECT number FROM chunks WHERE message = ? AND first = ?", [message.number, first])
        for row in numbers {
            guard let stored = try chunk(row["number"]), stored.chunk[.addressed].contains(place) else { continue }
            return ChunkPlace(chunk: stored.number, place: place)
        }
        return nil
    }

    /// The place of a device, whatever is kept of it there.
    func place(of message: Int64, on device: String) throws -> ChunkPlace? {
        guard let ranged = try ranged(message) else { return nil }
        let row = try row(
            "SELECT ordinal FROM devices WHERE id = ? AND app = ?", [device, ranged.app.number.rawValue])
        return try (row?["ordinal"] as Int64?).flatMap { try place(of: ranged, ordinal: $0) }
    }
}

extension RangeChunk {
    fileprivate var values: SQLArguments {
        [
            position, rest.rawValue, isOpen, !untold.isEmpty, sender?.rawValue, epoch,
            handedAt?.millisecondsSince1970, acceptedAt?.millisecondsSince1970, reportedAt?.millisecondsSince1970,
            followDue?.millisecondsSince1970, revision, withdrawnAt?.millisecondsSince1970,
            endedAt?.millisecondsSince1970, replacedAt?.millisecondsSince1970, encodedMarks,
        ]
    }
}

extension SQLRow {
    fileprivate func rangeChunk() throws -> RangeChunk {
        let chunk = RangeChunk(
            encodedMarks: self["marks"], position: self["position"], rest: try choice("rest"),
            sender: (self["sender"] as Int64?).map(SenderNumber.init(rawValue:)), epoch: self["epoch"])
        guard var chunk else { throw unreadable("marks") }
        chunk.handedAt = timestamp("handed_at")
        chunk.acceptedAt = timestamp("accepted_at")
        chunk.reportedAt = timestamp("reported_at")
        chunk.followDue = timestamp("follow")
        chunk.revision = self["revision"]
        chunk.withdrawnAt = timestamp("withdrawn_at")
        chunk.endedAt = timestamp("ended_at")
        chunk.replacedAt = timestamp("replaced_at")
        return chunk
    }

    fileprivate func rangedMessage() throws -> RangedMessage {
        let accepted = try requiredTimestamp("accepted")
        var message = RangedMessage(
            number: self["message"], id: try messageID("id"), app: app("app", "topic"), mode: try choice("mode"),
            dialect: try choice("dialect"), revision: self["revision"],
            accepted: Swift.max(accepted, timestamp("send_at") ?? accepted), until: timestamp("until"),
            isRecalled: timestamp("recalled") != nil, isCancelled: timestamp("cancelled") != nil,
            isPaused: timestamp("paused") != nil, chunkDevices: self["chunk_devices"], condition: text("condition"),
            last: self["last"], began: timestamp("began"), planned: self["planned"],
            ended: timestamp("ended"))
        message.hasNotice = self["has_notice"]
        return message
    }
}
