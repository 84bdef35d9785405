import CarillonCore

/// Deliveries as they are kept: read into a value, which decides, and written back.
extension StoreTransaction {
    /// Deliveries that meet a condition on `show`, their rows with the purpose show.
    func deliveries(where condition: String, _ arguments: SQLArguments) throws -> [StoredDelivery] {
        try deliveryRows(where: condition, arguments).map(StoredDelivery.init)
    }

    /// The same as rows, for those who want to go on where one cannot be read.
    func deliveryRows(where condition: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        try rows(
            """
            SELECT \(StoredDelivery.columns) FROM deliveries AS show \(StoredDelivery.join)
            WHERE show.purpose = 'show' AND \(condition)
            """, arguments)
    }

    /// One message on one device.
    func delivery(of message: Int64, on device: String) throws -> StoredDelivery? {
        try deliveries(where: "show.message = ? AND show.device = ?", [message, device]).first
            ?? rangedDelivery(of: message, on: device)
    }

    /// Lets a delivery receive an event, keeps what it has become, and does what it asks for.
    mutating func receive(
        _ event: DeliveryEvent, for stored: inout StoredDelivery, _ rules: SendingRules = SendingRules()
    ) throws {
        let before = stored
        let changes = stored.delivery.received(event, rules, at: now)
        if let place = stored.place, !changes.allSatisfy(\.isSaidByBits) { try giveRows(&stored, at: place) }
        try write(&stored, before)
        for change in changes {
            switch change {
            case .note(let note): try record(note, of: stored)
            // What is kept in bits says so itself, and is fed to the queue some at a time.
            case .sendRemoval: if stored.place == nil { try queueRemoval(of: stored) }
            }
        }
    }

    /// The same for several.
    mutating func receive(
        _ event: DeliveryEvent, for deliveries: [StoredDelivery], _ rules: SendingRules = SendingRules()
    ) throws {
        for var delivery in deliveries { try receive(event, for: &delivery, rules) }
    }

    /// The same for one of ``deliveryRows(where:_:)``; one that cannot be read is set aside.
    mutating func receive(_ event: DeliveryEvent, forRow row: SQLRow, _ rules: SendingRules) throws {
        do {
            var stored = try StoredDelivery(row)
            try receive(event, for: &stored, rules)
        } catch let error as any EngineError {
            throw error
        } catch {
            try setAside(row["show_number"], because: error)
        }
    }

    /// The message is for whoever has the device now.
    func setOwner(_ owner: String?, of stored: inout StoredDelivery) throws {
        stored.owner = owner
        try execute("UPDATE deliveries SET user = ? WHERE number = ?", [owner, stored.show])
    }

    private mutating func write(_ stored: inout StoredDelivery, _ before: StoredDelivery) throws {
        if let place = stored.place { return try keep(&stored, at: place) }
        let delivery = stored.delivery
        if delivery.show != before.delivery.show { try write(delivery.show, stored.show) }
        if delivery.answers != before.delivery.answers {
            try execute(
                "UPDATE deliveries SET answers = ? WHERE number = ?", [delivery.answers.rawValue, stored.show])
        }
        if let fallback = delivery.fallback, fallback != before.delivery.fallback {
            stored.fallback = try write(fallback, .fallback, stored.fallback, for: stored)
        }
        if let notice = delivery.notice, notice != before.delivery.notice {
            stored.notice = try write(notice, .notice, stored.notice, for: stored)
        }
        if delivery.removal != before.delivery.removal { try write(delivery.removal, for: stored) }
    }

    /// Writes rows for a delivery that had none.
    func insertRows(_ stored: inout StoredDelivery) throws {
        let delivery = stored.delivery
        let waits = delivery.show.isWaiting || delivery.fallback?.isWaiting == true
        let held = stored.isPaused && waits ? -1 - stored.channel : stored.channel
        stored.show = try insert(
            delivery.show, .show, message: stored.message, device: stored.device, channel: held, lane: stored.lane)
        stored.place = nil
        try execute(
            "UPDATE deliveries SET user = ?, answers = ? WHERE number = ?",
            [stored.owner, delivery.answers.rawValue, stored.show])
        if let fallback = delivery.fallback {
            stored.fallback = try insert(
                fallback, .fallback, message: stored.message, device: stored.device, channel: held, lane: stored.lane)
        }
        if let notice = delivery.notice { stored.notice = try write(notice, .notice, nil, for: stored) }
        if let removal = delivery.removal { try write(removal, for: stored) }
    }

    /// Keeps what a push has become.
    func write(_ push: Push, _ number: Int64) throws {
        try execute(
            "UPDATE deliveries SET \(Push.columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?",
            push.values + [number])
    }

    /// - Returns: the number of its row, which is new when there was none.
    private func write(
        _ push: Push, _ purpose: PushPurpose, _ number: Int64?, for stored: StoredDelivery
    ) throws -> Int64 {
        if let number {
            try write(push, number)
            return number
        }
        return try insert(
            push, purpose, message: stored.message, device: stored.device, channel: stored.channel, lane: stored.lane)
    }

    /// Makes a row for a push.
    @discardableResult
    func insert(
        _ push: Push, _ purpose: PushPurpose, message: Int64?, device: String, channel: Int64, lane: DeliveryLane
    ) throws -> Int64 {
        let number = try insertNumbered(
            """
            INSERT INTO deliveries (message, device, purpose, channel, lane, \(Push.columns.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?\(String(repeating: ", ?", count: Push.columns.count)))
            """, [message, device, purpose.rawValue, channel, lane.rawValue] + push.values)
        return try number ?? notWritten("delivery")
    }

    private func write(_ removal: RemovalRequest?, for stored: StoredDelivery) throws {
        guard let removal else {
            return try execute(
                "DELETE FROM removals WHERE device = ? AND message = ?", [stored.device, stored.message])
        }
        try execute(
            """
            INSERT INTO removals (device, message, reason, revision, requested, confirmed) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (device, message) DO UPDATE SET reason = excluded.reason, revision = excluded.revision,
                requested = excluded.requested, confirmed = excluded.confirmed
            """,
            [
                stored.device, stored.message, removal.reason.rawValue, removal.revision,
                removal.requested.millisecondsSince1970, removal.confirmed?.millisecondsSince1970,
            ])
    }

    /// Onto the timeline; where the delivery is kept in bits, its timeline is made of them.
    private mutating func record(_ note: DeliveryNote, of stored: StoredDelivery) throws {
        let event = TimelineEvent(note, message: stored.id, device: stored.device)
        if stored.place == nil { try record(event, about: stored.message) } else { tell(event) }
    }

    /// Cancels all that waits for a device and is not in flight.
    mutating func cancelWaiting(on device: String, why: String) throws {
        try execute(
            "DELETE FROM deliveries WHERE device = ? AND state = 'queued' AND sender IS NULL AND \(Self.isOwnPush)",
            [device])
        try receive(
            .cancelled(why),
            for: try deliveries(
                where: """
                    (show.device, show.message) IN (SELECT device, message FROM deliveries
                        WHERE device = ? AND state = 'queued' AND sender IS NULL AND message IS NOT NULL)
                    """, [device]))
        try receive(.cancelled(why), for: try followed(on: device))
        // What it is to remove travels with whatever it is sent next.
        for removal in try rangedRemovals(of: device) where try isUntold(removal) {
            try change(removal.place.chunk) { $0[.told].insert(removal.place.place) }
        }
    }

    /// Whether a row is for a push of the service's own, which leaves nothing behind.
    static let isOwnPush = "purpose NOT IN ('show', 'fallback', 'notice')"
}

extension TimelineEvent {
    /// - Parameters:
    ///   - note: what happened to a push of the delivery.
    ///   - message: on whose timeline it stands.
    ///   - device: the installation's id.
    ///   - apnsID: of a push that the note tells of and does not name; by default that of one about the message.
    init(_ note: DeliveryNote, message: MessageID, device: String, apnsID: String? = nil) {
        func push() -> String {
            PushIdentifier.uuid(
                message: message.rawValue, device: device, purpose: note.purpose, revision: note.revision
            ).lowercased
        }
        self.init(
            message: message, device: device, event: note.event, at: note.at, purpose: note.purpose,
            revision: note.revision, attempt: note.attempt, reason: note.reason, status: note.status,
            apnsID: note.apnsID ?? (note.attempt == nil ? nil : apnsID ?? push()), detail: note.detail)
    }
}
