import CarillonCore

/// Gives the waiting messages in local time on a device their new moments, because the device's time zone has changed.
///
/// The messages that the device has got, or for which it was skipped, stay as they are.
struct ChangingZones: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let deliveries: DeliveriesTable
    private let kept: KeptDeliveries
    private let bits: DeviceChunks
    private let work: WorkTable

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        deliveries = DeliveriesTable(session)
        kept = KeptDeliveries(session)
        bits = DeviceChunks(session)
        work = WorkTable(session)
    }

    /// Moves the waiting messages of a device to the moments of its new time zone; those that are past are due now.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - app: the device's app.
    ///   - zone: the new time zone; `nil` or an unknown zone changes nothing.
    /// - Throws: the errors of the database.
    func move(_ device: String, of app: AppNumber, to zone: String?) throws {
        guard let zone, LocalSchedule.isKnown(zone) else { return }
        try moveRows(of: device, to: zone)
        for number in try messages.waitingForLocalTime(in: app) { try moveBits(of: number, on: device, to: zone) }
    }

    private func moveRows(of device: String, to zone: String) throws {
        let waiting = try kept.deliveries(
            where: """
                show.device = ? AND show.state = 'queued' AND show.sender IS NULL AND show.due > ?
                    AND messages.local IS NOT NULL
                """, [device, now.millisecondsSince1970])
        for var stored in waiting where stored.delivery.show.tries == 0 {
            guard let due = try due(stored.message, in: zone), due != stored.delivery.show.due else { continue }
            try kept.receive(.turn(.due(due)), for: &stored)
            if due > now {
                try wake(stored)
            } else if !stored.isPaused {
                try deliveries.letGo(stored.message, on: device)
                if try messages.localSchedule(of: stored.message)?.countsAsUnread == true {
                    try InboxTable(session).fillDue(stored.message, onDevicesFrom: device, through: device)
                }
            }
        }
    }

    /// Moves a device out of the chunk of its former moment: its delivery gets a row.
    private func moveBits(of number: Int64, on device: String, to zone: String) throws {
        guard let message = try ranges.ranged(number), var stored = try kept.rangedDelivery(of: number, on: device),
            let place = stored.place, let chunk = try chunks.chunk(place.chunk)?.chunk,
            let former = chunk.due, former > now, chunk.revision == message.revision,
            stored.delivery.show.state == .queued, let due = try due(number, in: zone), due != former
        else { return }
        (stored.delivery.show.queued, stored.delivery.show.due) = (due, due)
        try kept.giveRows(&stored, at: place)
        let note = DeliveryNote(.queued, at: now, purpose: .show, revision: message.revision)
        try EventsTable(session).record(note, about: number, message.id, on: device)
    }

    private func due(_ message: Int64, in zone: String) throws -> Timestamp? {
        try messages.localSchedule(of: message)?.moment(in: zone).map { max($0, now) }
    }

    private func wake(_ stored: StoredDelivery) throws {
        if !stored.isPaused { try work.wake(stored.message, at: stored.delivery.show.due) }
    }
}
