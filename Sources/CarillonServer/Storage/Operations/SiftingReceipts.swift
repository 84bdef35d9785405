import CarillonCore

/// Finds, among the receipts of a device, those that may change something, with a few statements for all of them.
///
/// Any client can register an installation and send useless receipts: with invented ids, about other devices' messages, or
/// repeated. This type only reads, so such receipts never wait for the writing connection. The transaction that records the
/// remaining receipts checks them again.
struct SiftingReceipts: SessionPart {
    let session: StoreSession

    init(_ session: StoreSession) { self.session = session }

    /// Returns the receipts that may be new and may concern messages of this device, in the given order.
    func sift(_ receipts: [Receipt], from device: String) throws -> [Receipt] {
        guard !receipts.isEmpty, let row = try row("SELECT app, ordinal FROM devices WHERE id = ?", [device]) else {
            return []
        }
        let messages = try messages(of: row["app"], Set(receipts.map(\.message.rawValue)))
        guard !messages.isEmpty else { return [] }
        let numbers = Self.integers(messages.values.sorted())
        let withRows = try self.withRows(numbers, on: device)
        let extracts = try (row["ordinal"] as Int64?).map { ordinal in
            (ordinal, try self.extracts(of: numbers, at: ordinal))
        }
        let known = try self.known(receipts, from: device)
        return receipts.filter { receipt in
            guard let message = messages[receipt.message.rawValue], !known.contains(receipt.id) else { return false }
            guard let (ordinal, extracts) = extracts, let extract = extracts[message] else {
                return withRows.contains(message)
            }
            // A receipt without detail and reply is only a bit, which is known if it is set.
            return receipt.detail != nil || receipt.reply != nil
                || !extract.contains(ChunkMark(receipt.event), ordinal)
        }
    }

    /// Returns the numbers of an app's messages with the given ids, by id.
    private func messages(of app: Int64, _ ids: Set<String>) throws -> [String: Int64] {
        let rows = try rows(
            "SELECT id, number FROM messages WHERE app = ? AND \(dialect.isAmongTexts("id"))",
            [app, try Self.json(ids.sorted())])
        return try Dictionary(rows.map { try ($0["id"], $0["number"]) }, uniquingKeysWith: { $1 })
    }

    /// Returns those of the given messages whose deliveries to a device are stored in rows of the table `deliveries`.
    ///
    /// - Parameters:
    ///   - numbers: the messages' numbers, as a JSON array.
    ///   - device: the device's id.
    /// - Returns: the numbers of these messages.
    /// - Throws: the errors of the database.
    private func withRows(_ numbers: String, on device: String) throws -> Set<Int64> {
        let rows = try rows(
            """
            SELECT message FROM deliveries
            WHERE device = ? AND purpose = 'show' AND \(dialect.isAmongIntegers("message"))
            """, [device, numbers])
        return try Set(rows.map { try $0["message"] })
    }

    /// Returns extracts (``ChunkExtract``) of the chunks in which the given messages are addressed to a device.
    ///
    /// A chunk (``RangeChunk``) stores the deliveries of one message to a range of devices.
    ///
    /// - Parameters:
    ///   - numbers: the messages' numbers, as a JSON array.
    ///   - ordinal: the device's running number in its app.
    /// - Returns: the extracts, by the message's number.
    /// - Throws: the errors of the database.
    private func extracts(of numbers: String, at ordinal: Int64) throws -> [Int64: ChunkExtract] {
        let rows = try rows(
            """
            SELECT chunks.number, chunks.message, chunks.first, chunks.marks FROM ranges
                \(dialect.orderedJoin) chunks ON chunks.message = ranges.message
                    AND chunks.first > ? - ranges.chunk_devices AND chunks.first <= ?
            WHERE \(dialect.isAmongIntegers("ranges.message"))
            """, [ordinal, ordinal, numbers])
        return try rows.map { try ChunkExtract($0, changed: nil) }.filter { $0.contains(.addressed, ordinal) }
            .reduce(into: [:]) { $0[$1.message] = $1 }
    }

    /// Returns the ids of those receipts in `receipts` that the device has sent before and that are stored as events.
    private func known(_ receipts: [Receipt], from device: String) throws -> Set<String> {
        let rows = try rows(
            "SELECT receipt FROM events WHERE device = ? AND \(dialect.isAmongTexts("receipt"))",
            [device, try Self.json(receipts.map(\.id))])
        return try Set(rows.map { try $0["receipt"] })
    }
}
