import CarillonCore

/// Ends the leases of a sender that has ended or signs off, so that other senders send the leased pushes.
///
/// A lease reserves a push for one sender. Leased pushes may already have reached APNs. Even so, they are sent again.
struct Releasing: SessionPart {
    let session: StoreSession
    private let senders: SendersTable
    private let messages: MessagesTable
    private let devices: DevicesTable
    private let deliveries: DeliveriesTable
    private let events: EventsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let kept: KeptDeliveries
    private let own: OwnPushes

    init(_ session: StoreSession) {
        self.session = session
        senders = SendersTable(session)
        messages = MessagesTable(session)
        devices = DevicesTable(session)
        deliveries = DeliveriesTable(session)
        events = EventsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        kept = KeptDeliveries(session)
        own = OwnPushes(session)
    }

    func release(_ sender: SenderNumber, ifStillAt beat: Int?, limit: Int) throws -> SenderRelease {
        // From here on, the sender can lease nothing. Its leases are ended step by step.
        guard try senders.end(sender, ifStillAt: beat) else {
            return SenderRelease(count: 0, isDone: true)
        }
        try WebhooksTable(session).release(sender)
        try ActivityChannelsTable(session).release(sender)
        let held = try deliveries.held(by: sender, limit: limit)
        for number in held { try lapseReadable(number) }
        guard held.count < limit else {
            return SenderRelease(count: held.count, isDone: false)
        }
        let lapsed = try lapse(chunksOf: sender, limit: limit - held.count)
        let count = held.count + lapsed.count
        guard lapsed.isDone else { return SenderRelease(count: count, isDone: false) }
        let removals = try lapseRemovals(limit: limit - count)
        if removals.isDone { try senders.delete(sender) }
        return SenderRelease(count: count + removals.count, isDone: removals.isDone)
    }

    // MARK: Rows

    /// Ends a sender's lease of the push in a row of `deliveries`, so that the push is sent again.
    ///
    /// If the row cannot be decoded, the function sets it aside: senders skip it until an operator acts.
    private func lapseReadable(_ number: Int64) throws {
        do {
            try lapse(number)
        } catch let error as any EngineError {
            throw error
        } catch {
            try deliveries.setAside(number, because: error)
        }
    }

    private func lapse(_ number: Int64) throws {
        // Reads rows one by one, because ending one lease may change later rows.
        guard let row = try row("SELECT * FROM deliveries WHERE number = ?", [number]) else { return }
        let purpose: PushPurpose = try row.choice("purpose")
        if [.show, .fallback, .notice].contains(purpose) {
            guard var stored = try kept.delivery(of: row["message"], on: row["device"]) else { return }
            try kept.receive(.lapsed(purpose), for: &stored)
        } else {
            var push = try row.push()
            if let note = DeliveryNote.abandoned(push, purpose, at: now) { try record(abandoned: note, row) }
            push.endLease()
            try deliveries.keep(push, number)
        }
    }

    /// Records that a push was given up, on the timelines of all messages that it concerns.
    ///
    /// For a removal push, these are the messages that the push may have removed.
    private func record(abandoned note: DeliveryNote, _ row: SQLRow) throws {
        let (device, purpose): (String, PushPurpose) = try (row["device"], note.purpose)
        if let number: Int64 = row["message"] {
            return try events.record(note, about: number, messages.id(ofMessage: number), on: device)
        }
        guard purpose == .removal else { return }
        try own.record(abandoned: note, on: device, due: try row.requiredTimestamp("due"))
    }

    // MARK: Bits

    /// Ends a sender's leases of chunks (``RangeChunk``), and inserts rows for the pushes that were in flight from the chunks.
    ///
    /// One call processes at most `limit` pushes.
    ///
    /// - Returns: `count` is the number of processed pushes. `isDone` is true if no lease of the sender is left.
    private func lapse(chunksOf sender: SenderNumber, limit: Int) throws -> (count: Int, isDone: Bool) {
        var count = 0
        for number in try chunks.held(by: sender) {
            guard let stored = try chunks.chunk(number), let message = try ranges.ranged(stored.message) else {
                continue
            }
            let lapsed = try chunks.settingAside(number) { try lapse(stored, of: message, limit: limit - count) } ?? 0
            count += lapsed
            guard count < limit else { return (count, false) }
            // If a device was deleted, its push counts as unanswered.
            try chunks.change(stored.number) { $0.endLease() }
        }
        return (count, true)
    }

    private func lapse(_ stored: StoredChunk, of message: RangedMessage, limit: Int) throws -> Int {
        let places = stored.chunk.inFlight.places(limit: limit)
        let found = try devices.devices(at: places, of: stored, message.app)
        for place in places {
            guard let device = found[place],
                var delivery = try kept.delivery(
                    at: ChunkPlace(chunk: stored.number, place: place), message, on: device["id"], device)
            else { continue }
            try kept.receive(.lapsed(.show), for: &delivery)
        }
        return places.count
    }

    /// Ends the removal leases (``RemovalLease``) of senders that have ended, and queues the leased pushes again.
    ///
    /// Each of these pushes gets a row of its own in `deliveries`. It is sent again even if it may have reached APNs. One call
    /// processes at most `limit` pushes.
    ///
    /// - Returns: `count` is the number of processed pushes. `isDone` is true if none of these leases is left.
    func lapseRemovals(limit: Int) throws -> (count: Int, isDone: Bool) {
        var count = 0
        for var lease in try chunks.abandonedRemovalLeases() {
            let places = lease.places.places(limit: limit - count)
            try lapse(lease, at: places)
            lease.places = lease.places.subtracting(DeviceSet(places))
            try chunks.keep(lease)
            count += places.count
            guard count < limit else { return (count, false) }
        }
        return (count, true)
    }

    private func lapse(_ lease: RemovalLease, at places: [Int]) throws {
        guard let stored = try chunks.chunk(lease.chunk), let message = try ranges.ranged(stored.message) else {
            return
        }
        for device in try devices.rangedDevices(at: places, of: stored, message.app) {
            var push = lease.push
            if let note = DeliveryNote.abandoned(push, .removal, at: now) {
                try own.record(abandoned: note, on: device.id, due: push.due)
            }
            push.endLease()
            try own.insert(removal: push, device.id, message.app.number, device.environment)
        }
    }
}
