import CarillonCore

/// Pauses, resumes or cancels a message.
///
/// At first, a paused or cancelled message is only marked, so that no sender claims further pushes of it. A later task
/// (``StepwiseWork``) hides or cancels its waiting pushes.
struct Steering: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let deliveries: DeliveriesTable
    private let inbox: InboxTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let work: WorkTable
    private let unread: UnreadMessages
    private let working: WorkingInSteps
    private let withdrawing: Withdrawing

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        deliveries = DeliveriesTable(session)
        inbox = InboxTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        work = WorkTable(session)
        unread = UnreadMessages(session)
        working = WorkingInSteps(session)
        withdrawing = Withdrawing(session)
    }

    func steer(_ message: Int64, _ change: SendingChange) throws {
        let row = try row("SELECT recalled, cancelled, paused FROM messages WHERE number = ?", [message])
        guard let row, row.timestamp("recalled") == nil, row.timestamp("cancelled") == nil else { return }
        let isPaused = row.timestamp("paused") != nil
        switch change {
        case .pause where try !isPaused && hasSomethingLeft(message):
            try messages.pause(message)
            try work.hold(message, true)
            try holdChunks(of: message, true)
            try begin(.hold(message: message), of: message)
        case .resume where isPaused:
            try messages.resume(message)
            try work.hold(message, false)
            try holdChunks(of: message, false)
            try begin(.letGo(message: message), of: message)
        case .cancel where try hasSomethingLeft(message):
            try messages.cancel(message)
            try work.dropAddressing(of: message)
            // The chunks of a cancelled message are held no longer, because a later recall may send notices from them.
            if isPaused { try holdChunks(of: message, false) }
            try ranges.stopPlanning(of: message)
            try begin(.cancel(message: message), of: message)
        case .pause, .resume, .cancel: break
        }
    }

    /// Hides the waiting pushes of a message's chunks (``RangeChunk``) from senders, or shows them again if `hold` is false.
    func holdChunks(of message: Int64, _ hold: Bool) throws {
        try ranges.hold(message, hold)
        try chunks.hold(message, hold)
    }

    /// Begins a task (``StepwiseWork``) on a message, in place of an unfinished task that pauses or resumes this message.
    private func begin(_ task: StepwiseWork.Task, of message: Int64) throws {
        try work.dropSteering(of: message)
        try working.begin(task)
    }

    /// Returns whether recipients of a message are still being determined, or pushes must still be sent to show the message.
    private func hasSomethingLeft(_ message: Int64) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM work WHERE message = ? AND kind = ?)
                OR EXISTS (SELECT 1 FROM deliveries
                    WHERE message = ? AND state = 'queued' AND purpose IN ('show', 'fallback'))
                OR EXISTS (SELECT 1 FROM ranges WHERE message = ? AND open = 1)
                OR EXISTS (SELECT 1 FROM chunks WHERE message = ? AND (open = 1 OR sender IS NOT NULL OR follow IS NOT NULL))
            """, [message, StepwiseWork.addressing, message, message, message]) > 0
    }

    // MARK: Steps

    /// Hides a message's waiting pushes from senders, or shows them again if `hold` is false.
    ///
    /// One call processes a bounded number of devices. While a push is hidden, the column `channel` of its row has a negative
    /// number.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - hold: whether to hide the pushes.
    ///   - work: the task, which stores the device that was processed last.
    /// - Returns: whether the task is finished.
    /// - Throws: the errors of the database.
    func stepChannels(of message: Int64, hold: Bool, _ work: inout StepwiseWork) throws -> Bool {
        let limit = room
        let devices = try deliveries.devices(of: message, after: work.position, limit: limit)
        room -= max(1, devices.count)
        let local = hold ? nil : try messages.localSchedule(of: message)
        if let first = devices.first, let last = devices.last {
            try deliveries.hold(
                message, hold, onDevicesFrom: first, through: last, dueBy: local == nil ? nil : now)
            if local?.countsAsUnread == true {
                try inbox.fillDue(message, onDevicesFrom: first, through: last)
            }
            work.position = last
        }
        guard devices.count < limit else { return false }
        if local != nil { try waitForNextMoment(of: message) }
        return true
    }

    /// Schedules the release of the pushes that are still held, because their devices' moments lie ahead.
    private func waitForNextMoment(of message: Int64) throws {
        guard let next = try deliveries.nextHeld(of: message) else { return }
        try work.schedule(StepwiseWork(.letGo(message: message)), due: next.millisecondsSince1970)
    }

    /// Continues the cancellation of a message by one step of bounded size.
    ///
    /// - Returns: whether the task is finished.
    func stepCancellation(of message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        switch work.phase {
        case 0:
            return try withdrawing.stepDevices(
                of: message, .cancelled(SendingChange.cancellation), SendingRules(), &work)
        case 1: return try withdrawing.stepChunks(of: message, .cancelled, &work)
        case 2:
            if try stepUnreached(message, &work) { work.nextPhase() }
            return false
        default: return try withdrawing.stepRangedInboxes(of: message, &work)
        }
    }

    /// Removes a cancelled message from the inboxes of users whom the message cannot have reached.
    ///
    /// One call processes a bounded number of inboxes.
    ///
    /// - Returns: whether no inbox is left to process.
    func stepUnreached(_ message: Int64, _ work: inout StepwiseWork) throws -> Bool {
        let limit = room
        let rows = try inbox.entries(of: message, after: work.position, limit: limit)
        for row in rows where try !row["gone"] {
            guard let user = try row.user(), try !hasReached(user, message) else { continue }
            try inbox.markGone(message, of: user)
            try unread.queueBadge(for: user, except: nil)
        }
        room -= max(1, rows.count)
        work.position = rows.last?["user"] ?? ""
        return rows.count < limit
    }

    private func hasReached(_ user: UserReference, _ message: Int64) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM devices JOIN deliveries
                    ON deliveries.message = ? AND deliveries.device = devices.id AND deliveries.user = devices.user
                WHERE devices.app = ? AND devices.user = ? AND deliveries.reach > 0)
            """, [message, user.app.rawValue, user.id]) > 0
    }
}
