import CarillonCore

/// Finds the receipts of a device that may change something, with a few statements for all of them.
///
/// Anybody may register an installation and report what it likes. So invented ids, messages of others and repetitions are
/// found by reads, and only the rest waits for the writer, which decides again.
struct SiftingReceipts: SessionPart {
    let session: StoreSession

    init(_ session: StoreSession) { self.session = session }

    /// Returns the receipts that may be new and about messages of this device, in their order.
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
            // The bits say all that a receipt without words says.
            return receipt.detail != nil || receipt.reply != nil
                || !extract.contains(ChunkMark(receipt.event), ordinal)
        }
    }

    /// Returns the numbers of an app's messages, by id.
    private func messages(of app: Int64, _ ids: Set<String>) throws -> [String: Int64] {
        let rows = try rows(
            "SELECT id, number FROM messages WHERE app = ? AND \(dialect.isAmongTexts("id"))",
            [app, try Self.json(ids.sorted())])
        return try Dictionary(rows.map { try ($0["id"], $0["number"]) }, uniquingKeysWith: { $1 })
    }

    /// Returns the messages among some that a device has rows for.
    private func withRows(_ numbers: String, on device: String) throws -> Set<Int64> {
        let rows = try rows(
            """
            SELECT message FROM deliveries
            WHERE device = ? AND purpose = 'show' AND \(dialect.isAmongIntegers("message"))
            """, [device, numbers])
        return try Set(rows.map { try $0["message"] })
    }

    /// Returns the marks of the chunks in which a device is addressed, by message.
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

    /// Returns the ids of receipts that a device has sent before, as far as they are kept in rows.
    private func known(_ receipts: [Receipt], from device: String) throws -> Set<String> {
        let rows = try rows(
            "SELECT receipt FROM events WHERE device = ? AND \(dialect.isAmongTexts("receipt"))",
            [device, try Self.json(receipts.map(\.id))])
        return try Set(rows.map { try $0["receipt"] })
    }
}
