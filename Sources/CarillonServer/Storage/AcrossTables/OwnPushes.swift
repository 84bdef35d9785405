import CarillonAPNs
import CarillonCore

/// Queues the service's own pushes, which show no message: removal, badge, token-check and token-claim pushes (``PushPurpose``).
struct OwnPushes: SessionPart {
    let session: StoreSession
    private let deliveries: DeliveriesTable
    private let devices: DevicesTable
    private let removals: RemovalsTable
    private let events: EventsTable
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        deliveries = DeliveriesTable(session)
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        events = EventsTable(session)
        bits = DeviceChunks(session)
    }

    /// Queues one of the service's own pushes (``OwnPushes``) to a device, unless a push with this purpose already waits for the
    /// device.
    ///
    /// A waiting push gets its content only when it is sent, so a second waiting push would carry nothing new. A push in flight
    /// does not count as waiting, because it already has its content.
    func queuePush(_ purpose: PushPurpose, to device: String) throws {
        let target = target(purpose, device, unlessWaiting: true)
        try devices.takePushRevision(where: target)
        try deliveries.insert(own: purpose, due: nil, where: target)
    }

    /// Queues a push that checks a token (``CheckingTokens``), at the app's next turn to do so.
    ///
    /// - Parameters:
    ///   - purpose: the push's purpose. A token-check push is not queued if one already waits for the device.
    ///   - device: the device's id.
    /// - Throws: the errors of the database.
    func queueCheck(_ purpose: PushPurpose, of device: String) throws {
        let target = target(purpose, device, unlessWaiting: purpose == .tokenCheck)
        try AppsTable(session).takeCheck(forDeviceWhere: target)
        try devices.takePushRevision(where: target)
        try deliveries.insert(own: purpose, due: AppsTable.takenCheck, where: target)
    }

    /// Returns the SQL condition that selects a device in the table `devices` if a push can be queued for it.
    ///
    /// The database decides this in the statements that queue the push, so that nobody waits for the answer.
    private func target(_ purpose: PushPurpose, _ device: String, unlessWaiting: Bool) -> SQLCondition {
        var target: SQLCondition = ("devices.id = ?", [device])
        // A token-claim push goes to a token that is not the device's own.
        if purpose != .tokenClaim { target.sql += " AND devices.state = 'active' AND devices.token IS NOT NULL" }
        guard unlessWaiting else { return target }
        let waiting = DeliveriesTable.waiting(purpose)
        return ("\(target.sql) AND NOT EXISTS (\(waiting.sql))", target.arguments + waiting.arguments)
    }

    /// Queues a push that makes a device remove a message.
    ///
    /// One removal push can usually remove several messages. In Pushwoosh's format, the key `dlt` names only one message, so each
    /// removal of a message in that format gets its own push.
    func queueRemoval(of stored: StoredDelivery) throws {
        guard stored.dialect == .pushwoosh else { return try queuePush(.removal, to: stored.device) }
        let revision = stored.delivery.removal?.revision ?? stored.delivery.show.revision
        let known = try row(
            "SELECT * FROM deliveries WHERE message = ? AND device = ? AND purpose = 'removal'",
            [stored.message, stored.device])
        if let known {
            var push = try known.push()
            push.requeue(revision: revision, at: now, due: now)
            return try deliveries.keep(push, known["number"])
        }
        guard try devices.isReachable(stored.device) else { return }
        try deliveries.insert(
            Push(revision: revision, queued: now, due: now), .removal, message: stored.message, device: stored.device,
            channel: stored.channel, lane: .single)
    }
    /// Inserts a row for a removal push that must be sent again.
    ///
    /// The push had no row before, because only the bits of a ``RangeChunk`` stored it.
    func insert(
        removal push: Push, _ device: String, _ app: AppNumber, _ environment: APNsEnvironment
    ) throws {
        let channel = SendingChannel.number(app.rawValue, environment)
        try deliveries.insert(push, .removal, message: nil, device: device, channel: channel, lane: .bulk)
    }

    /// Returns whether one of the service's own pushes (``OwnPushes``) is still needed.
    ///
    /// For example, a removal push is no longer needed if the device has confirmed the removal.
    ///
    /// - Parameters:
    ///   - purpose: the push's purpose.
    ///   - row: the row of the push, with the columns of its device.
    /// - Returns: false if the push need not be sent any more.
    /// - Throws: the errors of the database.
    func isNeeded(_ purpose: PushPurpose, _ row: SQLRow) throws -> Bool {
        if purpose == .tokenClaim { return row.text("claimed_token") != nil && row.text("claim_nonce") != nil }
        guard row.text("token") != nil, row.text("device_state") == DeviceRecord.State.active.rawValue else {
            return false
        }
        switch purpose {
        case .tokenCheck: return row.timestamp("confirmed") == nil
        case .removal:
            guard let message: Int64 = row["message"] else {
                return try !openRemovals(of: row["device"], limit: 1).isEmpty
            }
            if try removals.isOpen(message, on: row["device"]) { return true }
            return try bits.broadcastRemovals(of: row["device"]).contains {
                $0.message.number == message && $0.request.confirmed == nil
            }
        case .badge, .show, .fallback, .notice, .tokenClaim, .liveActivity, .widgets:
            return row.text("device_user") != nil
        }
    }

    // MARK: Removals

    /// Returns at most `limit` of a device's unconfirmed removals (requests to remove a message), newest first.
    func openRemovals(of device: String, limit: Int) throws -> [Removal] {
        try openRemovals(of: device, bits.broadcastRemovals(of: device), limit: limit)
    }

    /// Returns a device's unconfirmed removals (requests to remove a message), newest first.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - known: those of the device's removals that concern messages whose deliveries are kept as bitmaps, a bit for each
    ///     device (``RangeRules``). The caller has already read them.
    ///   - limit: the greatest number of removals; the function leaves out older ones.
    /// - Returns: the removals.
    /// - Throws: the errors of the database.
    func openRemovals(of device: String, _ known: [BroadcastRemoval], limit: Int) throws -> [Removal] {
        let rows = try removals.open(of: device, limit: limit).map { row in
            (
                Removal(
                    try row.messageID("id"), revision: try row["revision"],
                    reason: try row.choice("reason") as Removal.Reason), try row.requiredTimestamp("requested")
            )
        }
        return Self.newest(rows, known, limit: limit)
    }

    /// Merges a device's removals that are stored in rows with those that are stored in the bits of chunks (``RangeChunk``),
    /// newest first.
    ///
    /// - Parameters:
    ///   - rows: the removals from rows, each with the time of its request.
    ///   - known: the removals from the bits of chunks.
    ///   - limit: the greatest number of removals; the function leaves out older ones.
    /// - Returns: the removals that the device has not confirmed.
    static func newest(_ rows: [(Removal, Timestamp)], _ known: [BroadcastRemoval], limit: Int) -> [Removal] {
        let ranged = known.filter { $0.request.confirmed == nil }.map {
            (Removal($0.message.id, revision: $0.request.revision, reason: $0.request.reason), $0.request.requested)
        }
        guard !ranged.isEmpty else { return rows.map(\.0) }
        let all = (rows + ranged).sorted { ($1.1, $0.0.message.rawValue) < ($0.1, $1.0.message.rawValue) }
        return all.prefix(limit).map(\.0)
    }

    // MARK: Timelines

    /// Records the outcome of one of the service's own pushes (``OwnPushes``) on the timelines of the messages that it concerns.
    ///
    /// Those are the messages in `subjects`, for example the messages that a removal push removes.
    func record(
        _ sent: SentPush, _ verdict: SendVerdict, _ rules: SendingRules, on device: String,
        about subjects: [PushSubject]
    ) throws {
        for subject in subjects {
            for var note in sent.notes(verdict, rules) {
                note.revision = subject.revision
                let details = [subject.why, note.detail].compactMap(\.self)
                let tellsAll = note.event == .accepted && !details.isEmpty
                note.detail = tellsAll ? details.joined(separator: "; ") : details.last
                try events.record(note, about: subject.number, subject.message, on: device)
            }
        }
    }

    /// Records that a removal push was given up, on the timelines of the messages that the push may have removed.
    ///
    /// - Parameters:
    ///   - note: the note to record.
    ///   - device: the device's id.
    ///   - due: the time at which the push fell due. Removals that the device confirmed before this time are left out, unless the
    ///     push carried them.
    /// - Throws: the errors of the database.
    func record(abandoned note: DeliveryNote, on device: String, due: Timestamp) throws {
        let push = PushIdentifier.uuid(message: "", device: device, purpose: note.purpose, revision: note.revision)
        let subjects = try removals.subjects(of: device, abandoned: note.revision, due: due)
        for subject in subjects {
            var note = note
            note.revision = subject.revision
            try events.record(note, about: subject.number, subject.message, on: device, apnsID: push.lowercased)
        }
    }
}
