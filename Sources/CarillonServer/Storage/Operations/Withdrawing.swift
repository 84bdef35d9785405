import CarillonCore

/// Removes a message from devices and from users' inboxes after a recall, a cancellation or its expiry, in steps of bounded size.
///
/// A user's inbox is the list of the user's messages, which the app can show.
///
/// The steps process the stored deliveries. They do not determine the audience again.
struct Withdrawing: SessionPart {
    let session: StoreSession
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let inbox: InboxTable
    private let kept: KeptDeliveries
    private let unread: UnreadMessages
    private let broadcasts: UnreadBroadcasts
    private let bits: DeviceChunks

    init(_ session: StoreSession) {
        self.session = session
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        inbox = InboxTable(session)
        kept = KeptDeliveries(session)
        unread = UnreadMessages(session)
        broadcasts = UnreadBroadcasts(session)
        bits = DeviceChunks(session)
    }

    // MARK: Tasks

    /// Continues the removal of a recalled message from devices and from users' lists of messages (inboxes) by one bounded step.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - wait: the time after which a device that has not confirmed the removal gets the recall's notice.
    ///   - work: the task, which stores its progress.
    /// - Returns: whether the task is finished.
    /// - Throws: the errors of the database.
    func stepRecall(of message: Int64, wait: Duration, _ work: inout StepwiseWork) throws -> Bool {
        switch work.phase {
        case 0:
            return try stepDevices(of: message, .withdrawn(.recall), SendingRules(assuredWait: wait), &work)
        case 1: return try stepChunks(of: message, .recalled, wait: wait, &work)
        default: return try stepAllInboxes(of: message, &work)
        }
    }

    /// Continues the removal of a message whose `until` has passed, by one step of bounded size.
    ///
    /// The message leaves the inboxes, the users' lists of messages. If the backend has set `remove_expired`, devices remove it
    /// too.
    ///
    /// - Returns: whether the task is finished.
    func stepEnd(of message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        let isRemoved = try integer("SELECT remove_expired FROM messages WHERE number = ?", [message]) > 0
        guard isRemoved else { return try stepInboxes(of: message, queuesBadges: false, &work) }
        switch work.phase {
        case 0: return try stepDevices(of: message, .ended, SendingRules(), &work)
        case 1: return try stepChunks(of: message, .ended, &work)
        default: return try stepAllInboxes(of: message, &work)
        }
    }

    // MARK: Devices

    /// Applies an event to those deliveries of a message that are stored in rows.
    ///
    /// One call processes a bounded number of deliveries, those after the device that was processed last.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - event: the event.
    ///   - rules: the sending rules, with the wait before a recall's notice.
    ///   - work: the task, which stores the device that was processed last.
    /// - Returns: `false`, which means that the task is not finished: another phase of the task always follows.
    /// - Throws: the errors of the database.
    func stepDevices(
        of message: Int64, _ event: DeliveryEvent, _ rules: SendingRules, _ work: inout StepwiseWork
    ) throws -> Bool {
        let limit = room
        let devices = try kept.deviceRows(of: message, after: work.position, limit: limit)
        for row in devices { try kept.receive(event, forRow: row, rules) }
        room -= max(1, devices.count)
        work.position = devices.last?["device"] ?? ""
        if devices.count < limit { work.nextPhase() }
        return false
    }

    /// Stops sending a message to the devices of its chunks (``RangeChunk``).
    ///
    /// One call processes a bounded number of chunks, those after the chunk that was processed last. After a recall or the
    /// expiry, the devices that the message may have reached must also remove it.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - end: the reason: a recall, a cancellation or the expiry.
    ///   - wait: for a recall, the time after which a device that has not confirmed the removal gets the recall's notice. The
    ///     default is zero.
    ///   - work: the task, which stores the chunk that was processed last.
    /// - Returns: `false`, which means that the task is not finished: another phase of the task always follows.
    /// - Throws: the errors of the database.
    func stepChunks(
        of message: Int64, _ end: RangesTable.RangeEnd, wait: Duration = .zero, _ work: inout StepwiseWork
    ) throws -> Bool {
        let second = try ranges.ranged(message).flatMap { SecondPush(of: $0) }
        let secondDue = second?.due(isRanged: true, SendingRules(assuredWait: wait), at: now)
        let limit = max(1, room / StoreLimits.roomPerChunk)
        let chunks = try self.chunks.chunks(of: message, after: Int64(work.position) ?? 0, limit: limit)
        for stored in chunks {
            let now = now
            try self.chunks.change(stored.number) { chunk in
                switch end {
                case .recalled: chunk.recall(at: now, noticeDue: secondDue)
                case .cancelled: chunk.stop(as: .cancelled)
                case .ended: chunk.end(at: now)
                }
            }
        }
        room -= max(1, chunks.count * StoreLimits.roomPerChunk)
        work.position = chunks.last.map { String($0.number) } ?? ""
        if chunks.count < limit { work.nextPhase() }
        return false
    }

    // MARK: Inboxes

    /// Runs one step of bounded size of a task that stops counting a message as unread.
    ///
    /// The first steps process the users with a row in the table `inbox`, the later steps all other users. A user whose devices'
    /// deliveries are stored in a ``RangeChunk`` has no such row until the user reads the message.
    ///
    /// - Returns: whether the task is finished.
    private func stepAllInboxes(of message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        if work.phase > 2 { return try stepRangedInboxes(of: message, &work) }
        if try stepInboxes(of: message, &work) { work.nextPhase() }
        return false
    }

    /// Marks a message as gone in the inboxes that contain it, so that it no longer counts as unread there.
    ///
    /// One call processes a bounded number of inboxes, in the order of the users' ids. It begins after the user at whom the
    /// last call ended.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - queuesBadges: whether to queue a push with the changed badge for phones that get no other push. The default is true.
    ///   - work: the task, which stores the user who was processed last.
    /// - Returns: whether no inbox is left to process.
    /// - Throws: the errors of the database.
    private func stepInboxes(
        of message: Int64, queuesBadges: Bool = true, _ work: inout StepwiseWork
    ) throws -> Bool {
        let limit = room
        let rows = try inbox.entries(of: message, after: work.position, limit: limit)
        var changed: [UserReference] = []
        for row in rows where try !row["gone"] {
            guard let user = try row.user() else { continue }
            try inbox.markGone(message, of: user)
            if queuesBadges, row.timestamp("read") == nil { changed.append(user) }
        }
        if !changed.isEmpty { try unread.queueBadges(for: changed) }
        room -= max(1, rows.count)
        work.position = rows.last?["user"] ?? ""
        return rows.count < limit
    }

    /// Queues pushes with the changed badge after a message whose deliveries are kept as bitmaps with a bit for each device
    /// (``RangeRules``) has stopped counting as unread.
    ///
    /// A phone that waits for a removal push gets no badge push, because the removal push also sets the badge. One call processes
    /// a bounded number of devices.
    ///
    /// - Returns: whether the task is finished.
    func stepRangedInboxes(of message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        guard let ranged = try ranges.ranged(message), try ranges.isCounting(ranged.app.number.rawValue) else {
            return true
        }
        // The message had already stopped counting as unread.
        if ranged.isRecalled, ranged.ended != nil { return true }
        let (limit, app) = (room, ranged.app.number)
        let rows = try rows(
            """
            SELECT ordinal, user FROM devices WHERE app = ? AND ordinal > ? AND ordinal <= ? AND user IS NOT NULL
            ORDER BY ordinal LIMIT ?
            """, [app.rawValue, Int64(work.position) ?? 0, ranged.planned, limit])
        for row in rows where try bits.place(of: ranged, ordinal: row["ordinal"]) != nil {
            let user = try UserReference(row["user"], of: app)
            let wasUnread = try broadcasts.unread(
                of: user, where: "ranges.message = ? AND messages.cancelled IS NULL", [message])
            let isUnread = try ranged.isCancelled && !broadcasts.unread(of: user).contains(message)
            if !wasUnread.isEmpty || isUnread { try unread.queueBadge(for: user, except: nil) }
        }
        room -= max(1, rows.count)
        work.position = try rows.last.map { try String($0["ordinal"] as Int64) } ?? ""
        return rows.count < limit
    }
}
