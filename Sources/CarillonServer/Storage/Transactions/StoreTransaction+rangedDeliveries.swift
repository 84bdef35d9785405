import CarillonCore

/// One device of a message that is sent by ranges: its delivery is made of bits, and gets rows when they cannot say it.
extension StoreTransaction {
    /// The message on a device that has no rows for it.
    func rangedDelivery(of message: Int64, on device: String) throws -> StoredDelivery? {
        guard let ranged = try ranged(message), let row = try row("SELECT * FROM devices WHERE id = ?", [device]),
            row["app"] == ranged.app.number.rawValue, let ordinal = row["ordinal"] as Int64?,
            let place = try place(of: ranged, ordinal: ordinal)
        else { return nil }
        return try delivery(at: place, ranged, on: device, row)
    }

    /// The same where its place is known; `row` is the device's, or `nil` when it is gone.
    func delivery(
        at place: ChunkPlace, _ message: RangedMessage, on device: String, _ row: SQLRow?
    ) throws -> StoredDelivery? {
        guard let stored = try chunk(place.chunk) else { return nil }
        let delivery = stored.chunk.delivery(
            at: place.place, of: message, silentUnanswered: row?["silent_unanswered"] ?? 0)
        return delivery.map {
            StoredDelivery(
                message, on: device, owner: row?.text("user"), channel: stored.channel, place: place, $0)
        }
    }

    /// Keeps what a delivery in bits has become: in bits, or in rows from now on.
    mutating func keep(_ stored: inout StoredDelivery, at place: ChunkPlace) throws {
        guard let message = try ranged(stored.message) else { return }
        let delivery = stored.delivery
        if try change(place.chunk, { $0.keep(delivery, at: place.place, of: message) }) == true { return }
        try giveRows(&stored, at: place)
    }

    /// Gives a device rows, which hold from now on.
    mutating func giveRows(_ stored: inout StoredDelivery, at place: ChunkPlace) throws {
        let (now, answers) = (now, stored.delivery.answers)
        try change(place.chunk) { chunk in
            chunk[.row].insert(place.place)
            chunk.note(answers, at: place.place)
            chunk.reportedAt = answers.isEmpty ? chunk.reportedAt : now
        }
        try insertRows(&stored)
    }
}
