import CarillonCore

/// Addresses an accepted message to its recipients, in steps of bounded size: queues a push to each of their devices.
struct Addressing: SessionPart {
    let session: StoreSession
    private let apps: AppsTable
    private let devices: DevicesTable
    private let messages: MessagesTable
    private let inbox: InboxTable
    private let deliveries: DeliveriesTable
    private let events: EventsTable
    private let audiences: AudienceQuery
    private let kept: KeptDeliveries
    private let unread: UnreadMessages

    init(_ session: StoreSession) {
        self.session = session
        apps = AppsTable(session)
        devices = DevicesTable(session)
        messages = MessagesTable(session)
        inbox = InboxTable(session)
        deliveries = DeliveriesTable(session)
        events = EventsTable(session)
        audiences = AudienceQuery(session)
        kept = KeptDeliveries(session)
        unread = UnreadMessages(session)
    }

    /// Starts a scheduled message that is due, or continues to address a message that was started before.
    ///
    /// The recipients of a scheduled message are determined when it starts.
    ///
    /// - Returns: whether the task is finished.
    func stepOrStart(_ addressing: StepwiseWork.Addressing, _ work: inout StepwiseWork) throws -> Bool {
        if work.phase == StepwiseWork.waitingPhase {
            // The message has expired while it was paused.
            if let until = addressing.until, until <= now { return true }
            var addressing = addressing
            addressing.recipients = try recipients(of: addressing)
            work.task = .accept(addressing)
            work.nextPhase()
            return false
        }
        let isDone = try step(addressing, &work)
        if isDone, addressing.local != nil, let next = try deliveries.nextHeld(of: addressing.message) {
            try WorkTable(session).wake(addressing.message, at: next)
        }
        if isDone, addressing.isScheduled {
            let devices = try messages.countDevices(of: addressing.message, revision: addressing.revision)
            if devices == 0 { try noteNobody(addressing) }
        }
        return isDone
    }

    /// Stores the reason why a scheduled message, whose recipients are now determined, is for no device.
    private func noteNobody(_ addressing: StepwiseWork.Addressing) throws {
        let (audience, _) = try audience(of: addressing)
        let reason = try audiences.reasonForNobody(in: audience, of: AppNumber(rawValue: addressing.app))
        try messages.note(reason, of: addressing.message)
    }

    private func recipients(of addressing: StepwiseWork.Addressing) throws -> StepwiseWork.Addressing.Recipients {
        let app = AppNumber(rawValue: addressing.app)
        switch addressing.recipients {
        case .users, .devices: return addressing.recipients
        case .everyone: return .everyone(upTo: try apps.lastOrdinal(of: app))
        case .matching(_, let condition, _):
            return .matching(upTo: try apps.lastOrdinal(of: app), condition: condition, at: now)
        }
    }

    /// Performs one step of the task's current phase.
    ///
    /// Phase 0 withdraws the message from devices to which a newer revision is no longer addressed. Phase 1 queues a push to each
    /// device of the recipients. The last phase deletes the inbox entries of users to whom the newer revision is no longer
    /// addressed.
    ///
    /// - Returns: whether the task is finished.
    func step(_ addressing: StepwiseWork.Addressing, _ work: inout StepwiseWork) throws -> Bool {
        // Otherwise a push to one of the devices ends the message, or the end of this task does.
        if addressing.devices == 0 { session.maybeFinished.insert(addressing.message) }
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

    // MARK: Devices no longer addressed

    private func stepOthers(_ addressing: StepwiseWork.Addressing, _ work: inout StepwiseWork) throws {
        let limit = room
        let devices = try kept.deviceRows(of: addressing.message, after: work.position, limit: limit)
        let addressed = try members(addressing, among: devices.map { try $0["device"] })
        for row in devices where try !addressed.contains(row["device"]) {
            try kept.receive(.withdrawn(.replaced), forRow: row, SendingRules())
        }
        room -= max(1, devices.count)
        work.position = devices.last?["device"] ?? ""
        if devices.count < limit { work.nextPhase() }
    }

    /// Deletes the inbox entries of users to whom a newer revision is no longer addressed.
    ///
    /// These are the message's entries that still name an earlier revision. One call deletes a bounded number of them.
    ///
    /// - Returns: whether all of them are deleted.
    private func stepOtherInboxes(_ addressing: StepwiseWork.Addressing) throws -> Bool {
        let limit = room
        let rows = try inbox.entries(
            of: addressing.message, before: addressing.revision,
            exceptDelivered: addressing.local?.countsAsUnread ?? false, limit: limit)
        for row in rows {
            guard let user = try row.user() else { continue }
            try inbox.delete(addressing.message, of: user)
            if addressing.hasOtherAudience { try unread.queueBadge(for: user, except: nil) }
        }
        room -= max(1, rows.count)
        return rows.count < limit
    }

    /// Returns those of the given devices to which the message is addressed.
    private func members(_ addressing: StepwiseWork.Addressing, among devices: [String]) throws -> Set<String> {
        let (audience, moment) = try audience(of: addressing)
        return try audiences.members(
            of: audience, among: devices, AppNumber(rawValue: addressing.app), at: moment)
    }

    /// Returns the audience of a message, and the time from which its ages are counted back.
    private func audience(of addressing: StepwiseWork.Addressing) throws -> (Audience, Timestamp) {
        switch addressing.recipients {
        case .users(let users): (.users(users), now)
        case .devices(let devices): (.devices(devices), now)
        case .everyone: (.everyone, now)
        case .matching(_, let text, let moment): (.matching(try AudienceParser.parse(text)), moment)
        }
    }

    /// Returns the SQL condition that selects the devices in a range of ordinals to which the message is addressed.
    ///
    /// An ordinal is a device's running number in its app. Only messages without named recipients use this condition.
    private func condition(
        _ addressing: StepwiseWork.Addressing, within stretch: ClosedRange<Int64>
    ) throws -> SQLCondition {
        let (audience, moment) = try audience(of: addressing)
        return try audiences.condition(audience, of: AppNumber(rawValue: addressing.app), at: moment, within: stretch)
    }

    /// Returns the number of ordinals that one transaction may examine: fewer if the message's condition is costly.
    private func stretch(of addressing: StepwiseWork.Addressing) throws -> Int64 {
        let (audience, _) = try audience(of: addressing)
        return try audiences.costly(audience, of: AppNumber(rawValue: addressing.app)) == nil
            ? StoreLimits.askedDevicesPerStep : StoreLimits.decidedDevicesPerStep
    }

    // MARK: Recipients

    private func stepRecipients(_ addressing: StepwiseWork.Addressing, _ work: inout StepwiseWork) throws {
        let from = Int(work.position) ?? 0
        switch addressing.recipients {
        case .users(let users):
            var next = from
            let found = try rows(devices.reachable(.users(users[from...].prefix(room)), of: addressing.app))
            let reachable = Dictionary(grouping: found) { UserName($0.text("user") ?? "") }
            while next < users.count, room > 0 {
                // The id of a user who was erased meanwhile is empty.
                if users[next].isEmpty {
                    room -= 1
                } else {
                    try address(addressing, user: users[next], reachable[UserName(users[next])] ?? [])
                }
                next += 1
            }
            work.position = String(next)
            if next >= users.count { work.nextPhase() }
        case .devices(let ids):
            let chunk = ids.dropFirst(from).prefix(room)
            let found = try rows(devices.reachable(.devices(chunk), of: addressing.app))
            let reachable = try Dictionary(found.map { try ($0["id"] as String, $0) }) { first, _ in first }
            try address(addressing, chunk.compactMap { reachable[$0] })
            room -= max(1, chunk.count)
            work.position = String(from + chunk.count)
            if from + chunk.count >= ids.count { work.nextPhase() }
        case .everyone(let last), .matching(let last, _, _):
            let reached = try addressDevices(addressing, after: Int64(from), upTo: last)
            work.position = String(reached)
            if reached >= last { work.nextPhase() }
        }
    }

    /// Addresses the message to recipients whose ordinals are greater than `first`, in ascending order.
    ///
    /// An ordinal is a device's running number in the app.
    ///
    /// One call examines at most ``StoreLimits/askedDevicesPerStep`` ordinals. It ends earlier when the transaction has
    /// processed as many devices as it may.
    ///
    /// - Returns: the last ordinal that the call has examined.
    private func addressDevices(_ addressing: StepwiseWork.Addressing, after first: Int64, upTo last: Int64) throws
        -> Int64
    {
        let (limit, end) = (room, min(last, first + (try stretch(of: addressing))))
        guard end > first else {
            room -= 1
            return end
        }
        let condition = try condition(addressing, within: first + 1...end)
        let rows = try rows(
            """
            SELECT id, user, time_zone, \(SendingChannel.ofDevice) AS channel, ordinal FROM devices
            WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql) ORDER BY ordinal LIMIT ?
            """, condition.arguments + [limit])
        try address(addressing, rows)
        room -= max(1, rows.count)
        guard rows.count == limit, let row = rows.last else { return end }
        return try row["ordinal"]
    }

    private func address(_ addressing: StepwiseWork.Addressing, user: String, _ devices: [SQLRow]) throws {
        try address(addressing, devices)
        if addressing.countsAsUnread, devices.isEmpty || devices.contains(where: { isDue(addressing, $0) }) {
            try inbox.fill(addressing, user: user)
        }
        room -= max(1, devices.count)
    }

    private func address(_ addressing: StepwiseWork.Addressing, _ devices: [SQLRow]) throws {
        try addressFirst(addressing, devices.filter { try addressing.revision == 1 || !addressAgain(addressing, $0) })
        for device in devices where isDue(addressing, device) {
            if case .users = addressing.recipients { continue }
            if addressing.countsAsUnread, let user = device.text("user") { try inbox.fill(addressing, user: user) }
        }
    }

    /// Returns whether a device may get the message now: always, unless the message is in local time.
    private func isDue(_ addressing: StepwiseWork.Addressing, _ device: SQLRow) -> Bool {
        guard let local = addressing.local else { return true }
        guard case .due(let moment) = local.turn(in: device.text("time_zone")) else { return false }
        return moment <= now
    }

    /// Addresses a newer revision of the message to a device that may already have an earlier revision.
    ///
    /// - Returns: false if the device has no delivery of the message yet. In this case, the function changes nothing.
    private func addressAgain(_ addressing: StepwiseWork.Addressing, _ device: SQLRow) throws -> Bool {
        guard var delivery = try kept.delivery(of: addressing.message, on: device["id"]) else { return false }
        guard delivery.delivery.show.revision < addressing.revision else { return true }
        try kept.setOwner(device.text("user"), of: &delivery)
        let user = addressing.isBroadcast ? nil : delivery.owner
        try kept.receive(.accepted(revision: addressing.revision, user: user), for: &delivery)
        if let local = addressing.local {
            try kept.receive(.turn(local.turn(in: device.text("time_zone"))), for: &delivery)
        }
        try deliveries.letGo(addressing.message, on: delivery.device)
        if delivery.delivery.show.waitsForMoment(at: now) { try deliveries.hold(delivery.show) }
        return true
    }

    /// Addresses the message to devices that have no delivery of it.
    ///
    /// A device that has got one meanwhile stays as it is.
    private func addressFirst(_ addressing: StepwiseWork.Addressing, _ devices: [SQLRow]) throws {
        // Nobody waits for the rows of a message that this session has inserted itself.
        let isInserted = session.cache.inserted == addressing.message
        var turns = addressing.local.map(LocalMoments.init)
        var sent: [(device: String, notes: [DeliveryNote], row: LateRows)] = []
        for device in devices {
            let id: String = try device["id"]
            if isInserted, !session.cache.addressed.insert(id).inserted { continue }
            let (push, notes) = first(addressing, turns?.turn(in: device.text("time_zone")))
            let (channel, waits): (Int64, Bool) = (try device["channel"], push.waitsForMoment(at: now))
            let row = try deliveries.insertAddressed(
                addressing, push, on: id, user: device.text("user"), channel: waits ? -1 - channel : channel)
            sent.append((id, notes, row))
        }
        for (id, notes, row) in sent where try isInserted || !row.rows().isEmpty {
            for note in notes { try events.record(note, about: addressing.message, addressing.id, on: id) }
        }
    }

    /// Returns the first push to a device, and what its timeline says of it.
    ///
    /// - Parameters:
    ///   - addressing: the message and its recipients.
    ///   - turn: the device's turn in a message in local time; `nil` for any other message.
    /// - Returns: the push and the notes.
    private func first(
        _ addressing: StepwiseWork.Addressing, _ turn: LocalTurn?
    ) -> (push: Push, notes: [DeliveryNote]) {
        let push = Push(revision: addressing.revision, queued: now, due: now)
        let note = DeliveryNote(.queued, at: now, purpose: .show, revision: addressing.revision)
        guard let turn else { return (push, [note]) }
        var delivery = Delivery(mode: .visible, user: nil, show: push)
        let changes = delivery.received(.turn(turn), SendingRules(), at: now)
        let further = changes.compactMap { if case .note(let note) = $0 { note } else { nil } }
        return (delivery.show, [note] + further)
    }
}
