import CarillonCore

/// Reads and writes deliveries, whether they are stored in rows of `deliveries` or in the bits of a ``RangeChunk``.
///
/// To apply an event, this type reads the stored delivery, lets ``Delivery`` decide what the event changes, and stores the
/// result.
struct KeptDeliveries: SessionPart {
    let session: StoreSession
    let deliveries: DeliveriesTable
    private let devices: DevicesTable
    private let removals: RemovalsTable
    private let events: EventsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let own: OwnPushes
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        deliveries = DeliveriesTable(session)
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        events = EventsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        own = OwnPushes(session)
        bits = DeviceChunks(session)
    }

    // MARK: Reading

    /// Returns the deliveries that are stored in rows and meet an SQL condition.
    ///
    /// The condition can use the columns of the table alias `show`: the row of `deliveries` whose `purpose` is `show`.
    func deliveries(where condition: String, _ arguments: SQLArguments) throws -> [StoredDelivery] {
        try deliveryRows(where: condition, arguments).map(StoredDelivery.init)
    }

    /// Returns the rows of deliveries that meet an SQL condition, without decoding them.
    ///
    /// If one of the rows cannot be decoded, the caller can still process the others. The condition can use the columns of the
    /// table alias `show`: the row of `deliveries` whose `purpose` is `show`.
    func deliveryRows(where condition: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        try rows(Self.query(where: condition, arguments))
    }

    private static func query(where condition: String, _ arguments: SQLArguments) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT \(StoredDelivery.columns) FROM deliveries AS show \(StoredDelivery.join)
                WHERE show.purpose = 'show' AND \(condition)
                """, arguments: arguments)
    }

    /// Returns the query for the rows of a message's delivery on one device.
    static func query(of message: Int64, on device: String) -> SQLStatement {
        query(where: "show.message = ? AND show.device = ?", [message, device])
    }

    /// Returns the delivery of a message on one device, whether rows or the bits of a ``RangeChunk`` store it; `nil` if there is
    /// none.
    func delivery(of message: Int64, on device: String) throws -> StoredDelivery? {
        try row(Self.query(of: message, on: device)).map(StoredDelivery.init)
            ?? rangedDelivery(of: message, on: device)
    }

    /// Returns a message's deliveries on the devices of one user, oldest device first.
    ///
    /// The function looks up the user's devices, so its cost does not depend on the number of the message's devices. The number
    /// of statements does not depend on the number of the user's devices.
    func deliveries(of message: Int64, onDevicesOf user: UserReference) throws -> [StoredDelivery] {
        let devices = try rows(
            "SELECT * FROM devices WHERE app = ? AND user = ? ORDER BY number", [user.app.rawValue, user.id])
        let ids: [String] = try devices.map { try $0["id"] }
        let stored = try deliveries(
            where: "show.message = ? AND \(dialect.isAmongTexts("show.device"))", [message, try Self.json(ids)])
        let inRows = Dictionary(stored.map { ($0.device, $0) }) { first, _ in first }
        guard let ranged = try ranges.ranged(message), ranged.app.number == user.app else {
            return ids.compactMap { inRows[$0] }
        }
        let ordinals: [Int64] = devices.compactMap { $0["ordinal"] }
        let places = try bits.places(of: ranged, ordinals: ordinals)
        return try devices.compactMap { device in
            let id: String = try device["id"]
            if let delivery = inRows[id] { return delivery }
            guard let place = (device["ordinal"] as Int64?).flatMap({ places[$0] }) else { return nil }
            return try delivery(at: place, ranged, on: id, device)
        }
    }

    /// Returns the rows from which ``StoredDelivery`` decodes a message's deliveries, in the order of device ids.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - device: the device id after which the rows begin.
    ///   - limit: the greatest number of rows.
    /// - Returns: the rows, without decoding them.
    /// - Throws: the errors of the database.
    func deviceRows(of message: Int64, after device: String, limit: Int) throws -> [SQLRow] {
        try deliveryRows(
            where: "show.message = ? AND show.device > ? ORDER BY show.device LIMIT ?", [message, device, limit])
    }

    /// Returns the delivery of a message on a device if it is stored in the bits of a ``RangeChunk``.
    ///
    /// The result is `nil` if the message has no delivery to the device, or if the delivery is stored in rows.
    func rangedDelivery(of message: Int64, on device: String) throws -> StoredDelivery? {
        guard let ranged = try ranges.ranged(message),
            let row = try row("SELECT * FROM devices WHERE id = ?", [device]),
            try row["app"] == ranged.app.number.rawValue, let ordinal = row["ordinal"] as Int64?,
            let place = try bits.place(of: ranged, ordinal: ordinal)
        else { return nil }
        return try delivery(at: place, ranged, on: device, row)
    }

    /// Returns the delivery of a message on a device from the bits at a known position in a ``RangeChunk``.
    ///
    /// - Parameters:
    ///   - place: the chunk, and the device's position in it.
    ///   - message: the chunk's message.
    ///   - device: the device's id.
    ///   - row: the device's row in the table `devices`; `nil` if the device was deleted.
    /// - Returns: the delivery; `nil` if the chunk's bits store no delivery to this device.
    /// - Throws: the errors of the database.
    func delivery(
        at place: ChunkPlace, _ message: RangedMessage, on device: String, _ row: SQLRow?
    ) throws -> StoredDelivery? {
        guard let stored = try chunks.chunk(place.chunk) else { return nil }
        let delivery = stored.chunk.delivery(
            at: place.place, of: message, silentUnanswered: row?["silent_unanswered"] ?? 0)
        return delivery.map {
            StoredDelivery(
                message, on: device, owner: row?.text("user"), channel: stored.channel, place: place, $0)
        }
    }

    /// Returns those deliveries to a device that are stored in a ``RangeChunk``, not in rows, and still have a second push to
    /// send.
    ///
    /// A second push is a fallback or a recall's notice (``SecondPush``).
    func followed(on device: String) throws -> [StoredDelivery] {
        guard let (app, ordinal) = try bits.place(of: device) else { return [] }
        return try bits.extracts(
            over: ordinal...ordinal, of: app, where: "messages.mode = 'assured' OR messages.recalled IS NOT NULL", []
        )
        .filter { $0.isPlain(ordinal) }
        .compactMap { try rangedDelivery(of: $0.message, on: device) }
        .filter { $0.delivery.fallback != nil || $0.delivery.notice != nil }
    }

    /// Reads several pushes, and the ``StoredDelivery`` to which each of them belongs.
    ///
    /// The table `deliveries` has one row for each push. A delivery of a message to a device may have several pushes.
    ///
    /// - Parameters:
    ///   - numbers: the row numbers of the pushes in `deliveries`.
    ///   - columns: the SQL of the columns to read from `deliveries` and the joined tables; at least `number`, `message` and
    ///     `device`.
    ///   - join: the SQL that joins further tables to `deliveries`.
    ///   - arguments: the values of the question marks in `columns`.
    /// - Returns: the rows of the pushes that exist, and of their deliveries, not decoded.
    /// - Throws: the errors of the database.
    func readAhead(
        _ numbers: [Int64], _ columns: String, _ join: String, _ arguments: SQLArguments = []
    ) throws -> DeliveriesAhead {
        guard !numbers.isEmpty else { return DeliveriesAhead() }
        let named = Self.integers(numbers)
        let pushes = SQLStatement(
            sql: "SELECT \(columns) FROM deliveries \(join) WHERE \(dialect.isAmongIntegers("deliveries.number"))",
            arguments: arguments + [named])
        let deliveries = SQLStatement(
            sql: """
                SELECT \(StoredDelivery.columns) FROM deliveries AS push
                    \(dialect.orderedJoin) deliveries AS show ON show.message = push.message
                        AND show.device = push.device AND show.purpose = 'show'
                    \(StoredDelivery.join)
                WHERE \(dialect.isAmongIntegers("push.number"))
                """, arguments: [named])
        try foresee([pushes, deliveries])
        return DeliveriesAhead(pushes: try rows(pushes), deliveries: try rows(deliveries))
    }

    /// Returns the delivery to which the push in `reading` belongs; `nil` if the delivery does not exist any more.
    ///
    /// The push must be about a message.
    func delivery(of reading: DeliveriesAhead.Reading) throws -> StoredDelivery? {
        if let row = reading.delivery { return try StoredDelivery(row) }
        return try rangedDelivery(of: reading.push["message"], on: reading.push["device"])
    }

    // MARK: Events

    /// Applies an event to a delivery, stores the delivery's new state, and makes the further changes that the event requires.
    func receive(
        _ event: DeliveryEvent, for stored: inout StoredDelivery, _ rules: SendingRules = SendingRules()
    ) throws {
        let before = stored
        let changes = stored.delivery.received(event, rules, at: now)
        if let place = stored.place, !changes.allSatisfy(\.isSaidByBits) { try giveRows(&stored, at: place) }
        try write(&stored, before)
        count(changes, of: stored, since: before.delivery.show.state)
        for change in changes {
            switch change {
            case .note(let note): try record(note, of: stored)
            // The chunk's bits record the removal. Senders find removal pushes in the bits later.
            case .sendRemoval: if stored.place == nil { try own.queueRemoval(of: stored) }
            }
        }
    }

    /// Counts a push with a message that has become accepted or was given up, for the figures.
    private func count(_ changes: [DeliveryChange], of stored: StoredDelivery, since state: DeliveryState) {
        guard stored.delivery.show.state != state else { return }
        switch stored.delivery.show.state {
        case .accepted: session.tally.add(.accepted, message: stored.message)
        case .unanswered: session.tally.add(.failed(Figure.unanswered), message: stored.message)
        case .rejected:
            let reasons = changes.compactMap { if case .note(let note) = $0 { note.reason } else { nil } }
            session.tally.add(.failed(reasons.first ?? Figure.unanswered), message: stored.message)
        case .queued, .cancelled, .expired, .setAside, .skipped: break
        }
    }

    /// Applies an event to each of several deliveries.
    func receive(
        _ event: DeliveryEvent, for deliveries: [StoredDelivery], _ rules: SendingRules = SendingRules()
    ) throws {
        for var delivery in deliveries { try receive(event, for: &delivery, rules) }
    }

    /// Applies an event to the delivery in a row that ``deliveryRows(where:_:)`` has read.
    ///
    /// If the row cannot be decoded, the function sets it aside: it marks the row, and no further call processes the row until an
    /// operator acts.
    func receive(_ event: DeliveryEvent, forRow row: SQLRow, _ rules: SendingRules) throws {
        do {
            var stored = try StoredDelivery(row)
            try receive(event, for: &stored, rules)
        } catch let error as any EngineError {
            throw error
        } catch {
            try deliveries.setAside(row["show_number"], because: error)
        }
    }

    /// Stores `owner`, the device's present user, as the user of a delivery; `nil` means no user.
    func setOwner(_ owner: String?, of stored: inout StoredDelivery) throws {
        stored.owner = owner
        try deliveries.keep(owner: owner, stored.show)
    }

    /// Records a note about a push on the message's timeline, and adds it to the events that are published after the commit.
    ///
    /// If the delivery is stored in the bits of a ``RangeChunk``, the note is published but not stored, because the timeline is
    /// computed from the bits.
    private func record(_ note: DeliveryNote, of stored: StoredDelivery) throws {
        let event = TimelineEvent(note, message: stored.id, device: stored.device)
        if stored.place == nil {
            try events.record(event, about: stored.message)
        } else {
            session.emit(event, about: stored.message)
        }
    }

    /// Cancels the waiting pushes to a device, but not those that are in flight.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - why: the reason that the timelines show.
    /// - Throws: the errors of the database.
    func cancelWaiting(on device: String, why: String) throws {
        try deliveries.deleteOwnWaiting(of: device)
        try receive(
            .cancelled(why),
            for: try deliveries(
                where: """
                    (show.device, show.message) IN (SELECT device, message FROM deliveries
                        WHERE device = ? AND state = 'queued' AND sender IS NULL AND message IS NOT NULL)
                    """, [device]))
        try receive(.cancelled(why), for: try followed(on: device))
        // Marks the removals in chunks as told to the device, because its next push carries them.
        for removal in try bits.broadcastRemovals(of: device) where try bits.isUntold(removal) {
            try chunks.change(removal.place.chunk) { $0[.told].insert(removal.place.place) }
        }
    }

    // MARK: Writing

    private func write(_ stored: inout StoredDelivery, _ before: StoredDelivery) throws {
        if let place = stored.place { return try keep(&stored, at: place) }
        let delivery = stored.delivery
        if delivery.show != before.delivery.show { try deliveries.keep(delivery.show, stored.show) }
        if delivery.answers != before.delivery.answers { try deliveries.keep(delivery.answers, stored.show) }
        if let fallback = delivery.fallback, fallback != before.delivery.fallback {
            stored.fallback = try write(fallback, .fallback, stored.fallback, for: stored)
        }
        if let notice = delivery.notice, notice != before.delivery.notice {
            stored.notice = try write(notice, .notice, stored.notice, for: stored)
        }
        if delivery.removal != before.delivery.removal {
            try removals.keep(delivery.removal, of: stored.message, on: stored.device)
        }
    }

    /// Inserts rows into `deliveries`, and into `removals` if needed, for a delivery that has no rows yet.
    func insertRows(_ stored: inout StoredDelivery) throws {
        let delivery = stored.delivery
        let waits = delivery.show.isWaiting || delivery.fallback?.isWaiting == true
        // A push whose moment lies ahead waits where no sender looks, and the task that holds pushes lets it go then.
        let waitsForMoment =
            try delivery.show.tries == 0 && delivery.show.waitsForMoment(at: now)
            && ranges.ranged(stored.message)?.local != nil
        let held = stored.isPaused && waits || waitsForMoment ? -1 - stored.channel : stored.channel
        if waitsForMoment, !stored.isPaused { try WorkTable(session).wake(stored.message, at: delivery.show.due) }
        stored.show = try deliveries.insert(
            delivery.show, .show, message: stored.message, device: stored.device, channel: held, lane: stored.lane)
        stored.place = nil
        try deliveries.keep(owner: stored.owner, delivery.answers, stored.show)
        if let fallback = delivery.fallback {
            stored.fallback = try deliveries.insert(
                fallback, .fallback, message: stored.message, device: stored.device, channel: held, lane: stored.lane)
        }
        if let notice = delivery.notice { stored.notice = try write(notice, .notice, nil, for: stored) }
        if let removal = delivery.removal { try removals.keep(removal, of: stored.message, on: stored.device) }
    }

    /// Updates the row of a push in the table `deliveries`, or inserts the row if the push has none.
    ///
    /// The table has one row for each push, so a delivery may have several rows.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - purpose: the push's purpose.
    ///   - number: the number of the push's row; `nil` if it has none.
    ///   - stored: the delivery that includes the push.
    /// - Returns: the number of the row.
    /// - Throws: the errors of the database.
    private func write(
        _ push: Push, _ purpose: PushPurpose, _ number: Int64?, for stored: StoredDelivery
    ) throws -> Int64 {
        if let number {
            try deliveries.keep(push, number)
            return number
        }
        return try deliveries.insert(
            push, purpose, message: stored.message, device: stored.device, channel: stored.channel, lane: stored.lane)
    }

    /// Stores a delivery's new state at the device's position in a ``RangeChunk``.
    ///
    /// If the chunk's bits cannot express the state, the function stores the delivery in rows instead.
    func keep(_ stored: inout StoredDelivery, at place: ChunkPlace) throws {
        guard let message = try ranges.ranged(stored.message) else { return }
        let delivery = stored.delivery
        if try chunks.change(place.chunk, { $0.keep(delivery, at: place.place, of: message) }) == true { return }
        try giveRows(&stored, at: place)
    }

    /// Stores a delivery in rows, which replace the bits at the device's position in a ``RangeChunk``.
    ///
    /// A flag in the chunk records that the delivery now has rows.
    func giveRows(_ stored: inout StoredDelivery, at place: ChunkPlace) throws {
        let (now, answers) = (now, stored.delivery.answers)
        try chunks.change(place.chunk) { chunk in
            chunk[.row].insert(place.place)
            chunk.note(answers, at: place.place)
            chunk.reportedAt = answers.isEmpty ? chunk.reportedAt : now
        }
        try insertRows(&stored)
    }
}
