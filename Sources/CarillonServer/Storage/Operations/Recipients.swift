import CarillonCore

/// Lists the devices of a message, or a group of them, page by page.
///
/// A page's mark is that of a timeline (``TimelineMark``): devices in chunks come first, then those with rows.
struct Recipients: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        bits = DeviceChunks(session)
    }

    /// Returns a page of a message's devices; `nil` if there is no such message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - group: the group to list; `nil` for all devices.
    ///   - text: the mark that the previous page gave as `next`; empty for the first page.
    ///   - limit: the greatest number of devices.
    /// - Returns: the page.
    /// - Throws: the errors of the database.
    func page(
        of message: MessageReference, in group: RecipientGroup?, after text: String, limit: Int
    ) throws -> RecipientList? {
        guard let number = try messages.number(of: message) else { return nil }
        var list = RecipientList(id: message.id, recipients: [])
        let ranged = try ranges.ranged(number)
        let mark = TimelineMark(text)
        if let ranged, mark.isAmongPlaces {
            let page = try bits.devices(of: ranged, after: mark.place, limit: limit) { chunk in
                group.map { chunk.devices(in: $0) } ?? chunk.plain
            }
            list.recipients = try recipients(at: page.found, of: ranged)
            list.next = page.end.map { TimelineMark($0).text }
            guard page.isLast else { return list }
        }
        try fill(&list, with: Rows(message: number, ranged: ranged, group: group), after: mark.device, limit)
        return list
    }

    /// Returns what became of a message on one device; `nil` if the message is not for it.
    func recipient(of message: Int64, on device: String) throws -> RecipientList.Recipient? {
        let ranged = try ranges.ranged(message)
        if let ranged, let place = try bits.place(of: message, on: device) {
            return try recipients(at: [(device, place)], of: ranged).first
        }
        let found = try rows(
            """
            SELECT deliveries.device, deliveries.state, coalesce(deliveries.user, devices.user) AS owner
            FROM deliveries LEFT JOIN devices ON devices.id = deliveries.device
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device = ?
            """, [message, device])
        return try recipients(in: found, Rows(message: message, ranged: ranged)).first
    }

    /// The deliveries in rows that a list asks for.
    private struct Rows {
        var message: Int64
        var ranged: RangedMessage?
        var group: RecipientGroup?

        /// Whether the bits of a message's chunks name all devices of the group.
        var areInBits: Bool { ranged != nil && group.map { $0.state == nil } ?? false }
    }

    /// Adds devices with rows to a page.
    private func fill(
        _ list: inout RecipientList, with wanted: Rows, after device: String, _ limit: Int
    ) throws {
        let rest = limit - list.recipients.count
        let found = wanted.areInBits ? [] : try rows(wanted, after: device, limit: rest + 1)
        let hasMore = found.count > rest
        // Without room for a device with rows, the next page begins where the devices in chunks end.
        if rest > 0 || !hasMore { list.next = hasMore ? found[rest - 1].text("device") : nil }
        list.recipients += try recipients(in: Array(found.prefix(rest)), wanted)
    }

    private func rows(_ wanted: Rows, after device: String, limit: Int) throws -> [SQLRow] {
        let condition = Self.condition(of: wanted)
        return try rows(
            """
            SELECT deliveries.device, deliveries.state, coalesce(deliveries.user, devices.user) AS owner
            FROM deliveries LEFT JOIN devices ON devices.id = deliveries.device
            WHERE deliveries.message = ? AND deliveries.purpose = 'show' AND deliveries.device > ? \(condition.text)
            ORDER BY deliveries.device LIMIT ?
            """, [wanted.message, device] + condition.arguments + [limit])
    }

    /// Returns the SQL condition, with its arguments, on the rows of a group.
    ///
    /// For a message with chunks, the receipts are not decided here but by the chunks' bits.
    private static func condition(of wanted: Rows) -> (text: String, arguments: SQLArguments) {
        guard let group = wanted.group else { return ("", []) }
        let isState = "deliveries.state = ?"
        let state = group.state.map { [$0.rawValue] as SQLArguments } ?? []
        switch (group, wanted.ranged) {
        case (_, .some): return ("AND \(isState)", state)
        case (.notShown, nil):
            return ("AND \(isState) AND NOT \(reported(RangeChunk.seen))", state)
        case (_, nil):
            guard let event = group.event else { return ("AND \(isState)", state) }
            guard group.state != nil else { return ("AND \(reported([event]))", []) }
            return ("AND (\(isState) OR \(reported([event])))", state)
        }
    }

    private static func reported(_ events: [ReceiptEvent]) -> String {
        let names = events.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return """
            EXISTS (SELECT 1 FROM events WHERE events.message = deliveries.message AND events.device = deliveries.device
                AND events.event IN (\(names)) AND events.receipt IS NOT NULL)
            """
    }

    // MARK: Recipients

    private func recipients(in found: [SQLRow], _ wanted: Rows) throws -> [RecipientList.Recipient] {
        let ids = try found.map { try $0["device"] as String }
        let reports = try reports(of: wanted.message, by: ids)
        return try found.compactMap { row in
            let device: String = try row["device"]
            let state: DeliveryState = try row.choice("state")
            var receipts = reports.receipts[device] ?? []
            if let ranged = wanted.ranged, let place = try bits.place(of: wanted.message, on: device) {
                receipts.formUnion(try self.receipts(at: place, of: ranged))
            }
            guard wanted.ranged == nil || wanted.group.map({ Self.belongs(receipts, to: $0) }) ?? true else {
                return nil
            }
            return recipient(device, row.text("owner"), state, receipts, reports.reasons[device]?[state])
        }
    }

    /// Whether a device with rows belongs to a group by state whose bits its chunk has not told yet.
    private static func belongs(_ receipts: Set<ReceiptEvent>, to group: RecipientGroup) -> Bool {
        switch group {
        case .notShown: receipts.isDisjoint(with: RangeChunk.seen)
        case .expired: !receipts.contains(.expired)
        default: true
        }
    }

    private func recipient(
        _ device: String, _ user: String?, _ state: DeliveryState, _ receipts: Set<ReceiptEvent>, _ reason: String?
    ) -> RecipientList.Recipient {
        RecipientList.Recipient(
            device: device, user: user, state: state, receipts: ReceiptEvent.allCases.filter(receipts.contains),
            reason: reason)
    }

    private func receipts(at place: ChunkPlace, of message: RangedMessage) throws -> Set<ReceiptEvent> {
        guard let chunk = try chunks.chunk(place.chunk)?.chunk else { return [] }
        return Set(ReceiptEvent.allCases.filter { chunk[ChunkMark($0)].contains(place.place) })
    }

    /// Returns the recipients at positions in a message's chunks.
    private func recipients(
        at found: [(id: String, place: ChunkPlace)], of message: RangedMessage
    ) throws -> [RecipientList.Recipient] {
        guard !found.isEmpty else { return [] }
        let names = try Self.json(found.map(\.id))
        let users = try rows("SELECT id, user AS owner FROM devices WHERE \(dialect.isAmongTexts("id"))", [names])
        let owners = try Dictionary(users.map { try ($0["id"] as String, $0.text("owner")) }) { first, _ in first }
        let kept = try rows(
            """
            SELECT device, state FROM deliveries
            WHERE message = ? AND purpose = 'show' AND \(dialect.isAmongTexts("device"))
            """, [message.number, names])
        let states = try Dictionary(kept.map { try ($0["device"] as String, $0.choice("state") as DeliveryState) }) {
            first, _ in first
        }
        let reports = try reports(of: message.number, by: Array(states.keys))
        return try found.compactMap { id, place in
            guard let chunk = try chunks.chunk(place.chunk)?.chunk,
                let state = states[id] ?? chunk.delivery(at: place.place, of: message)?.show.state
            else { return nil }
            return recipient(
                id, owners[id] ?? nil, state, try receipts(at: place, of: message), reports.reasons[id]?[state])
        }
    }

    /// The receipts and the reasons that timelines have, for devices with rows.
    private struct Reports {
        var receipts: [String: Set<ReceiptEvent>] = [:]
        /// For each device and each state, the last reason for it.
        var reasons: [String: [DeliveryState: String]] = [:]
    }

    private func reports(of message: Int64, by devices: [String]) throws -> Reports {
        var reports = Reports()
        guard !devices.isEmpty else { return reports }
        let events = try rows(
            """
            SELECT device, event, receipt, reason, detail FROM events
            WHERE message = ? AND \(dialect.isAmongTexts("device"))
                AND (receipt IS NOT NULL OR event IN ('rejected', 'unanswered', 'cancelled', 'expired'))
            ORDER BY number
            """, [message, try Self.json(devices)])
        for row in events {
            let device: String = try row["device"]
            let event: String = try row["event"]
            if row.text("receipt") != nil, let receipt = ReceiptEvent(rawValue: event) {
                reports.receipts[device, default: []].insert(receipt)
            } else if let reason = row.text("reason") ?? row.text("detail") {
                // A push that was rejected for a while, and waits for its next attempt, has the state queued.
                let state = DeliveryState(rawValue: event) ?? .rejected
                reports.reasons[device, default: [:]][state] = reason
                if state == .rejected || state == .unanswered { reports.reasons[device]?[.queued] = reason }
            }
        }
        return reports
    }
}
