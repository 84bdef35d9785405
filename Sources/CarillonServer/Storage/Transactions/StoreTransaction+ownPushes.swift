import CarillonCore

/// The pushes that bring no message: removals, numbers on icons, checks of tokens.
extension StoreTransaction {
    /// Queues a push that is about no message.
    ///
    /// One that waits already will say the same, so it is enough; one in flight was composed too early.
    func queuePush(_ purpose: PushPurpose, to device: String) throws {
        guard try !isWaiting(purpose, device) else { return }
        try queueOwnPush(purpose, to: device, due: now)
    }

    /// Whether a push of the service's own is queued and not in flight.
    func isWaiting(_ purpose: PushPurpose, _ device: String) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries
                WHERE device = ? AND state = 'queued' AND purpose = ? AND message IS NULL AND sender IS NULL)
            """, [device, purpose.rawValue]) > 0
    }

    /// Queues a push of the service's own in any case, for a device that can be reached by the token the push is for.
    func queueOwnPush(_ purpose: PushPurpose, to device: String, due: Timestamp) throws {
        let environment = purpose == .tokenClaim ? "claimed_environment" : "environment"
        let row = try row(
            """
            UPDATE devices SET push_revision = push_revision + 1
            WHERE id = ? AND (? = 1 OR (state = 'active' AND token IS NOT NULL))
            RETURNING push_revision, app, \(environment) AS environment
            """, [device, purpose == .tokenClaim])
        guard let row else { return }
        try insert(
            Push(revision: row["push_revision"], queued: now, due: due), purpose, message: nil, device: device,
            channel: Self.channel(row["app"], try row.choice("environment")), lane: .single)
    }

    /// Asks a device to remove a message.
    ///
    /// Pushwoosh's `dlt` names one message, so each has a push of its own.
    func queueRemoval(of stored: StoredDelivery) throws {
        guard stored.dialect == .pushwoosh else { return try queuePush(.removal, to: stored.device) }
        let revision = stored.delivery.removal?.revision ?? stored.delivery.show.revision
        let known = try row(
            "SELECT * FROM deliveries WHERE message = ? AND device = ? AND purpose = 'removal'",
            [stored.message, stored.device])
        if let known {
            var push = try known.push()
            push.requeue(revision: revision, at: now, due: now)
            return try write(push, known["number"])
        }
        let reachable = try integer(
            "SELECT count(*) FROM devices WHERE id = ? AND state = 'active' AND token IS NOT NULL", [stored.device])
        guard reachable > 0 else { return }
        try insert(
            Push(revision: revision, queued: now, due: now), .removal, message: stored.message, device: stored.device,
            channel: stored.channel, lane: .single)
    }

    /// Whether a push of the service's own still has something to say.
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
            let open = try integer(
                "SELECT count(*) FROM removals WHERE device = ? AND message = ? AND confirmed IS NULL",
                [row["device"] as String, message])
            if open > 0 { return true }
            return try rangedRemovals(of: row["device"]).contains {
                $0.message.number == message && $0.request.confirmed == nil
            }
        case .badge, .show, .fallback, .notice, .tokenClaim: return row.text("device_user") != nil
        }
    }

    /// Keeps what such a push has become; one that is done leaves no row behind.
    func keep(own push: Push, _ number: Int64) throws {
        if push.state == .queued {
            try write(push, number)
        } else {
            try execute("DELETE FROM deliveries WHERE number = ?", [number])
        }
    }

    // MARK: Removals

    /// The device's unconfirmed removals, newest first.
    func openRemovals(of device: String, limit: Int) throws -> [Removal] {
        try openRemovals(of: device, rangedRemovals(of: device), limit: limit)
    }

    /// The same where it is known what it is to remove of messages that are sent by ranges.
    func openRemovals(of device: String, _ known: [RangedRemoval], limit: Int) throws -> [Removal] {
        let rows = try openRemovalRows(of: device, limit: limit).map { row in
            (
                Removal(
                    try row.messageID("id"), revision: row["revision"],
                    reason: try row.choice("reason") as Removal.Reason), try row.requiredTimestamp("requested")
            )
        }
        return Self.newest(rows, known, limit: limit)
    }

    /// Removals with the moments since when they are asked for, and those of messages that are sent by ranges, newest first.
    static func newest(_ rows: [(Removal, Timestamp)], _ known: [RangedRemoval], limit: Int) -> [Removal] {
        let ranged = known.filter { $0.request.confirmed == nil }.map {
            (Removal($0.message.id, revision: $0.request.revision, reason: $0.request.reason), $0.request.requested)
        }
        guard !ranged.isEmpty else { return rows.map(\.0) }
        let all = (rows + ranged).sorted { ($1.1, $0.0.message.rawValue) < ($0.1, $1.0.message.rawValue) }
        return all.prefix(limit).map(\.0)
    }

    /// The same as rows: `message` (the number), `id`, `revision`, `reason`.
    func openRemovalRows(of device: String, limit: Int) throws -> [SQLRow] {
        try rows(
            """
            SELECT removals.message, messages.id, removals.revision, removals.reason, removals.requested
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device = ? AND removals.confirmed IS NULL
            ORDER BY removals.requested DESC, messages.id LIMIT ?
            """, [device, limit])
    }

    /// The messages of a device's newest removals that fulfil a condition, as many as a push carries.
    func removals(of device: String, where condition: String, _ arguments: SQLArguments) throws -> [PushSubject] {
        try rows(
            """
            SELECT removals.message, messages.id, removals.revision, removals.reason
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device = ? AND (\(condition))
            ORDER BY removals.requested DESC, messages.id LIMIT ?
            """, [device] + arguments + [ServiceLimits.removalsPerPush]
        ).map { try $0.subjectOfRemoval() }
    }

    /// The messages that removal pushes took away and of which the devices have rows, by the devices' ids: whether or not the
    /// phones have confirmed that meanwhile.
    ///
    /// - Parameter carried: which messages the pushes named, by the devices' ids.
    /// - Returns: for each device the newest removal first; a device of which none has rows is missing.
    /// - Throws: what the database says.
    func subjects(ofRemovals carried: [String: [MessageID]]) throws -> [String: [PushSubject]] {
        let messages = carried.values.reduce(into: Set()) { $0.formUnion($1) }
        let named = "IN (SELECT value FROM \(dialect.textsOfJSON) AS named)"
        let rows = try rows(
            """
            SELECT removals.device, removals.message, messages.id, removals.revision, removals.reason
            FROM removals JOIN messages ON messages.number = removals.message
            WHERE removals.device \(named) AND messages.id \(named)
            ORDER BY removals.requested DESC, messages.id
            """, [try Self.json(carried.keys.sorted()), try Self.json(messages.map(\.rawValue).sorted())])
        return try rows.reduce(into: [:]) { subjects, row in
            let (device, subject): (String, PushSubject) = (row["device"], try row.subjectOfRemoval())
            guard carried[device]?.contains(subject.message) == true else { return }
            subjects[device, default: []].append(subject)
        }
    }

    /// What came of a push of the service's own, onto the timelines of the messages that it was about.
    mutating func record(
        _ settlement: Settlement, _ verdict: SendVerdict, _ rules: SendingRules, on device: String,
        about subjects: [PushSubject]
    ) throws {
        for subject in subjects {
            for var note in settlement.notes(verdict, rules) {
                note.revision = subject.revision
                note.detail = note.detail ?? subject.why
                try record(TimelineEvent(note, message: subject.message, device: device), about: subject.number)
            }
        }
    }

    /// An attempt at a removal push whose sender is gone, onto the timelines of the messages that it may have taken away;
    /// `due` is since when it was to be sent.
    mutating func record(abandoned note: DeliveryNote, on device: String, due: Timestamp) throws {
        let push = PushIdentifier.uuid(message: "", device: device, purpose: note.purpose, revision: note.revision)
        let subjects = try removals(
            of: device, where: "removals.confirmed IS NULL OR removals.confirmed >= ?", [due.millisecondsSince1970])
        for subject in subjects {
            var note = note
            note.revision = subject.revision
            try record(
                TimelineEvent(note, message: subject.message, device: device, apnsID: push.lowercased),
                about: subject.number)
        }
    }
}

extension SQLRow {
    fileprivate func subjectOfRemoval() throws -> PushSubject {
        PushSubject(
            number: self["message"], message: try messageID("id"), revision: self["revision"],
            why: (try choice("reason") as Removal.Reason).why)
    }
}
