import CarillonCore

/// A message that was accepted goes to those whom it is for, a step at a time.
extension StoreTransaction {
    /// Whom a message is for, fixed.
    func recipients(of message: NewMessage) throws -> Addressing.Recipients {
        switch message.audience {
        case .users(let users): .users(users)
        case .devices(let devices): .devices(devices)
        case .everyone: .everyone(upTo: try lastOrdinal(of: message.app.number))
        case .matching(let expression):
            .matching(upTo: try lastOrdinal(of: message.app.number), condition: expression.description, at: now)
        }
    }

    /// No device of an app has a greater ordinal.
    func lastOrdinal(of app: AppNumber) throws -> Int64 {
        try row("SELECT next_ordinal - 1 AS last FROM apps WHERE number = ?", [app.rawValue])?["last"] ?? 0
    }

    /// A message whose moment has come is for those who are there now; then it goes on like any other.
    mutating func stepOrStart(_ addressing: Addressing, _ work: inout StepwiseWork) throws -> Bool {
        if work.phase == StepwiseWork.waitingPhase {
            // It was paused until there was nothing left to send.
            if let until = addressing.until, until <= now { return true }
            var addressing = addressing
            addressing.recipients = try recipients(of: addressing)
            work.task = .accept(addressing)
            work.nextPhase()
            return false
        }
        let isDone = try step(addressing, &work)
        if isDone, addressing.isScheduled == true {
            try execute(
                """
                UPDATE messages SET devices = (SELECT count(*) FROM deliveries
                    WHERE message = messages.number AND purpose = 'show' AND revision = ?) WHERE number = ?
                """, [addressing.revision, addressing.message])
        }
        return isDone
    }

    private func recipients(of addressing: Addressing) throws -> Addressing.Recipients {
        let app = AppNumber(rawValue: addressing.app)
        switch addressing.recipients {
        case .users, .devices: return addressing.recipients
        case .everyone: return .everyone(upTo: try lastOrdinal(of: app))
        case .matching(_, let condition, _):
            return .matching(upTo: try lastOrdinal(of: app), condition: condition, at: now)
        }
    }

    /// Who had it and is not addressed any more; who is addressed; in whose inbox it is no more.
    mutating func step(_ addressing: Addressing, _ work: inout StepwiseWork) throws -> Bool {
        switch work.phase {
        case 0:
            if addressing.revision == 1 {
                work.nextPhase()
            } else {
                try stepOthers(addressing, &work)
            }
            return false
        case 1:
            try stepRecipients(addressing, &work)
            return work.phase > 1 && !addressing.leavesInboxes
        default:
            return try stepOtherInboxes(addressing)
        }
    }

    // MARK: Who is not addressed any more

    private mutating func stepOthers(_ addressing: Addressing, _ work: inout StepwiseWork) throws {
        let limit = room
        let devices = try deviceRows(of: addressing.message, after: work.position, limit: limit)
        let condition = try condition(addressing)
        for row in devices {
            let isAddressed = try integer(
                "SELECT count(*) FROM devices WHERE id = ? AND \(condition.sql)",
                [row["device"] as String] + condition.arguments)
            if isAddressed > 0 { continue }
            try receive(.withdrawn(.replaced), forRow: row, SendingRules())
        }
        room -= max(1, devices.count)
        work.position = devices.last?["device"] ?? ""
        if devices.count < limit { work.nextPhase() }
    }

    /// Entries of users whom this revision does not address have an earlier one.
    private mutating func stepOtherInboxes(_ addressing: Addressing) throws -> Bool {
        let limit = room
        let rows = try rows(
            "SELECT app, user FROM inbox WHERE message = ? AND revision < ? ORDER BY user LIMIT ?",
            [addressing.message, addressing.revision, limit])
        for row in rows {
            guard let user = try row.user() else { continue }
            try execute(
                "DELETE FROM inbox WHERE app = ? AND user = ? AND message = ?",
                [user.app.rawValue, user.id, addressing.message])
            if addressing.hasOtherAudience { try queueBadge(for: user, except: nil) }
        }
        room -= max(1, rows.count)
        return rows.count < limit
    }

    /// What is true of the devices that are addressed.
    private func condition(_ addressing: Addressing) throws -> Condition {
        let app = AppNumber(rawValue: addressing.app)
        switch addressing.recipients {
        case .users(let users): return try condition(.users(users), of: app, at: now)
        case .devices(let devices): return try condition(.devices(devices), of: app, at: now)
        case .everyone: return try condition(.everyone, of: app, at: now)
        case .matching(_, let text, let moment):
            return try condition(.matching(try AudienceParser.parse(text)), of: app, at: moment)
        }
    }

    /// The same of those with certain ordinals, where nobody is named.
    private func condition(_ addressing: Addressing, within stretch: ClosedRange<Int64>) throws -> Condition {
        let app = AppNumber(rawValue: addressing.app)
        guard case .matching(_, let text, let moment) = addressing.recipients else {
            return try condition(.everyone, of: app, at: now, within: stretch)
        }
        return try condition(.matching(try AudienceParser.parse(text)), of: app, at: moment, within: stretch)
    }

    // MARK: Who is addressed

    private mutating func stepRecipients(_ addressing: Addressing, _ work: inout StepwiseWork) throws {
        let from = Int(work.position) ?? 0
        switch addressing.recipients {
        case .users(let users):
            var next = from
            while next < users.count, room > 0 {
                // The place of a user who was erased meanwhile is empty.
                if users[next].isEmpty { room -= 1 } else { try address(addressing, user: users[next]) }
                next += 1
            }
            work.position = String(next)
            if next >= users.count { work.nextPhase() }
        case .devices(let ids):
            let chunk = ids.dropFirst(from).prefix(room)
            for id in chunk { try address(addressing, try reachable("id = ?", [addressing.app, id])) }
            room -= max(1, chunk.count)
            work.position = String(from + chunk.count)
            if from + chunk.count >= ids.count { work.nextPhase() }
        case .everyone(let last), .matching(let last, _, _):
            let reached = try addressDevices(addressing, after: Int64(from), upTo: last)
            work.position = String(reached)
            if reached >= last { work.nextPhase() }
        }
    }

    /// The next confirmed devices, by their ordinals: as many as there is room for, among a bounded number.
    ///
    /// - Returns: the ordinal up to which all have been asked.
    private mutating func addressDevices(_ addressing: Addressing, after first: Int64, upTo last: Int64) throws -> Int64
    {
        let (limit, end) = (room, min(last, first + ServiceLimits.askedDevicesPerStep))
        guard end > first else {
            room -= 1
            return end
        }
        let condition = try condition(addressing, within: first + 1...end)
        let rows = try rows(
            """
            SELECT id, user, \(Self.channelOfDevice) AS channel, ordinal FROM devices
            WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql) ORDER BY ordinal LIMIT ?
            """, condition.arguments + [limit])
        try address(addressing, rows)
        room -= max(1, rows.count)
        guard rows.count == limit, let row = rows.last else { return end }
        return row["ordinal"]
    }

    private mutating func address(_ addressing: Addressing, user: String) throws {
        let devices = try takeCounted(user, of: addressing.app) ?? reachable(user, of: addressing.app)
        try address(addressing, devices)
        if addressing.countsAsUnread { try fillInbox(addressing, user: user) }
        room -= max(1, devices.count)
    }

    /// A user's devices, to be addressed; they are counted when the message is written, and need not be read again then.
    func reachable(_ user: String, of app: Int64) throws -> [SQLRow] { try reachable("user = ?", [app, user]) }

    private func reachable(_ condition: String, _ arguments: SQLArguments) throws -> [SQLRow] {
        try rows(
            """
            SELECT id, user, \(Self.channelOfDevice) AS channel FROM devices
            WHERE app = ? AND \(condition) AND state = 'active' AND token IS NOT NULL ORDER BY id
            """, arguments)
    }

    private mutating func address(_ addressing: Addressing, _ devices: [SQLRow]) throws {
        for device in devices {
            let isKnown = addressing.revision > 1 ? try addressAgain(addressing, device) : false
            if !isKnown { try addressFirst(addressing, device) }
            if case .users = addressing.recipients { continue }
            if addressing.countsAsUnread, let user = device.text("user") { try fillInbox(addressing, user: user) }
        }
    }

    /// - Returns: whether the device has had the message before.
    private mutating func addressAgain(_ addressing: Addressing, _ device: SQLRow) throws -> Bool {
        guard var delivery = try delivery(of: addressing.message, on: device["id"]) else { return false }
        guard delivery.delivery.show.revision < addressing.revision else { return true }
        try setOwner(device.text("user"), of: &delivery)
        let user = addressing.isBroadcast ? nil : delivery.owner
        try receive(.accepted(revision: addressing.revision, user: user), for: &delivery)
        try execute(
            "UPDATE deliveries SET channel = -1 - channel WHERE message = ? AND device = ? AND channel < 0",
            [addressing.message, delivery.device])
        return true
    }

    private mutating func addressFirst(_ addressing: Addressing, _ device: SQLRow) throws {
        let push = Push(revision: addressing.revision, queued: now, due: now)
        let id: String = device["id"]
        let inserted = try changes(
            Self.insertDelivery,
            [addressing.message, id, device.text("user"), device["channel"] as Int64, addressing.lane.rawValue]
                + push.values)
        guard inserted > 0 else { return }
        let note = DeliveryNote(.queued, at: now, purpose: .show, revision: addressing.revision)
        try record(TimelineEvent(note, message: addressing.id, device: id), about: addressing.message)
    }

    private static let insertDelivery = """
        INSERT INTO deliveries (message, device, purpose, user, channel, lane, \(Push.columns.joined(separator: ", ")))
        VALUES (?, ?, 'show', ?, ?, ?\(String(repeating: ", ?", count: Push.columns.count)))
        ON CONFLICT (message, device, purpose) DO NOTHING
        """

    /// Puts a message into a user's inbox, as unread; once for each revision.
    private func fillInbox(_ addressing: Addressing, user: String) throws {
        try execute(
            """
            INSERT INTO inbox (app, user, message, revision, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, user, message) DO UPDATE SET
                read = NULL, gone = 0, revision = excluded.revision, until = excluded.until
            WHERE inbox.revision < excluded.revision
            """,
            [
                addressing.app, user, addressing.message, addressing.revision,
                addressing.until?.millisecondsSince1970,
            ])
    }
}
