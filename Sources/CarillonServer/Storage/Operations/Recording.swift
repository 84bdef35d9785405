import CarillonCore

/// Records receipts, each only once, and applies their consequences.
struct Recording: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let events: EventsTable
    private let chunks: ChunksTable
    private let kept: KeptDeliveries
    private let unread: UnreadMessages
    private let bits: DeviceChunks
    private let reading: MarkingRead

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        events = EventsTable(session)
        chunks = ChunksTable(session)
        kept = KeptDeliveries(session)
        unread = UnreadMessages(session)
        bits = DeviceChunks(session)
        reading = MarkingRead(session)
    }

    /// Records receipts of a device.
    ///
    /// - Returns: the recorded receipts: those that are new and concern a message of this device.
    func record(_ receipts: [Receipt], from device: String) throws -> [RecordedReceipt] {
        try foresee(
            [DevicesTable.userOfCountedIcon(device)]
                + receipts.flatMap { [subject(of: $0, from: device), EventsTable.known($0, from: device)] })
        let user = try devices.userOfCountedIcon(device)
        let recorded = try receipts.compactMap { try accept($0, from: device) }
        if !recorded.isEmpty, let user { try unread.noteNumberTold(to: device, of: user) }
        return recorded
    }

    /// Records one receipt of a device if it is new and concerns a message of this device.
    ///
    /// - Returns: the recorded receipt; `nil` if it is not new, or concerns no message of this device.
    func accept(_ receipt: Receipt, from device: String) throws -> RecordedReceipt? {
        let known = try row(subject(of: receipt, from: device))
        guard let known else { return nil }
        let number: Int64 = try known["number"]
        try foresee([
            KeptDeliveries.query(of: number, on: device), EventsTable.known(receipt, from: device),
            EventsTable.receipts(about: number, from: device),
        ])
        guard var stored = try kept.delivery(of: number, on: device) else { return nil }
        let revision = receipt.revision ?? 1
        let earlier = stored.delivery.answers
        let event = TimelineEvent(
            message: receipt.message, device: device, event: TimelineEventKind(receipt.event),
            at: clamped(receipt.at, since: try known.requiredTimestamp("accepted")), revision: revision,
            detail: receipt.detail, reply: try known["keeps_replies"] ? receipt.reply : nil)
        guard try keep(event, receipt: receipt, of: &stored) else { return nil }
        let sent = receipt.event == .shown ? try known.timestamp("sent") ?? acceptedInChunk(stored) : nil
        try devices.noteAnswered(device)
        let isCurrent = revision >= stored.delivery.show.revision
        try kept.receive(.reported(receipt.event, revision: revision), for: &stored)
        if receipt.event == .opened, isCurrent, let user = try known.user(),
            stored.isRanged || stored.owner.map({ UserID.isEqual($0, user.id) }) ?? true
        {
            try reading.read(stored.message, user: user, on: device)
        }
        let shownAfter = sent.map { event.at - $0 }
        if isCurrent, !earlier.contains(ReceiptSet(receipt.event)) {
            count(receipt.event, of: stored, after: shownAfter)
        }
        return RecordedReceipt(receipt: receipt, shownAfter: shownAfter)
    }

    /// Counts an event that a device has reported for the first time, for the figures.
    private func count(_ event: ReceiptEvent, of stored: StoredDelivery, after wait: Duration?) {
        guard Figure.events.contains(event) else { return }
        session.tally.add(.reported(event), message: stored.message)
        if let wait { session.tally.add(.shown(after: wait), message: stored.message) }
    }

    /// Returns the query for the message and the device that a receipt is about.
    ///
    /// It searches only the messages of the device's own app.
    private func subject(of receipt: Receipt, from device: String) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT messages.number, messages.accepted, messages.keeps_replies, devices.app, devices.user,
                    \(receipt.event == .shown ? Self.acceptedByAPNs : "NULL") AS sent FROM devices
                    JOIN messages ON messages.app = devices.app AND messages.id = ?
                WHERE devices.id = ?
                """, arguments: [receipt.message.rawValue, device])
    }

    /// The SQL for the time at which APNs accepted the last push about a message to a device.
    ///
    /// The value is NULL for a delivery that a ``RangeChunk`` stores, because for such a delivery no event records that APNs
    /// accepted the push.
    private static let acceptedByAPNs =
        """
        (SELECT max(events.at) FROM events WHERE events.message = messages.number AND events.device = devices.id
            AND events.event = 'accepted')
        """

    /// Returns the time at which APNs last accepted a push of the delivery's ``RangeChunk``.
    ///
    /// The result is `nil` if the delivery is stored in rows, or if APNs has accepted no push of the chunk.
    private func acceptedInChunk(_ stored: StoredDelivery) throws -> Timestamp? {
        try stored.place.flatMap { try chunks.chunk($0.chunk)?.chunk.acceptedAt }
    }

    /// Stores a device's report on a delivery as an event.
    ///
    /// If a ``RangeChunk`` stores the delivery and the report has no detail or reply, one bit of the chunk stores the report
    /// instead.
    ///
    /// - Returns: whether the report is new. If not, the function stores nothing.
    private func keep(_ event: TimelineEvent, receipt: Receipt, of stored: inout StoredDelivery) throws -> Bool {
        guard stored.isRanged, let place = try stored.place ?? bits.place(of: stored.message, on: stored.device) else {
            guard try events.isNew(receipt, about: stored.message, from: stored.device) else { return false }
            try events.record(event, about: stored.message, receipt: receipt.id)
            return true
        }
        let isCurrent = (receipt.revision ?? 1) >= stored.delivery.show.revision
        let isKnown =
            try chunks.chunk(place.chunk)?.chunk.answers(at: place.place).contains(ReceiptSet(receipt.event)) == true
        if event.detail != nil || event.reply != nil {
            guard try events.isNew(receipt, about: stored.message, from: stored.device) else { return false }
            // Stores the delivery in rows, because an erasure finds details and replies by the rows of deliveries.
            if let place = stored.place { try kept.giveRows(&stored, at: place) }
            try events.record(event, about: stored.message, receipt: receipt.id)
        } else if isKnown || !isCurrent {
            // Ignores a report on a replaced revision.
            return false
        } else {
            // If a fallback was sent, the times of reports show whether the person saw two alerts, so they are stored.
            if stored.fallback == nil {
                session.emit(event, about: stored.message)
            } else {
                try events.record(event, about: stored.message, receipt: receipt.id)
            }
        }
        let now = now
        guard isCurrent else { return true }
        try chunks.change(place.chunk) { chunk in
            chunk.note(ReceiptSet(receipt.event), at: place.place)
            chunk.reportedAt = now
        }
        return true
    }

    /// Returns a phone's time, moved into the period from the message's acceptance to now, because a phone's clock may be wrong.
    private func clamped(_ moment: Timestamp, since accepted: Timestamp) -> Timestamp {
        min(max(moment, accepted), now)
    }
}

/// A receipt that the store did not have before, and has now recorded.
struct RecordedReceipt: Sendable, Hashable {
    let receipt: Receipt
    /// The time from APNs' acceptance of the push to this receipt `shown`; `nil` for other receipts, or if it is not known.
    let shownAfter: Duration?
}
