import CarillonCore

/// Messages that are sent by ranges are stopped, taken back and ended: chunk by chunk, and never by asking again whom they
/// are for.
extension StoreTransaction {
    /// What a whole message is to become.
    enum RangeEnd {
        case recalled, cancelled, ended
    }

    /// Nobody further is decided on; what becomes of the chunks follows step by step.
    func stopPlanning(of message: Int64) throws {
        try execute("UPDATE ranges SET open = 0 WHERE message = ?", [message])
        forgetRanged(message)
    }

    /// Notes since when those reached are to remove a message.
    func markRange(_ message: Int64, _ end: RangeEnd) throws {
        try stopPlanning(of: message)
        let column = end == .recalled ? "withdrawn" : "ended"
        try execute(
            "UPDATE ranges SET \(column) = coalesce(\(column), ?) WHERE message = ?",
            [now.millisecondsSince1970, message])
        forgetRanged(message)
    }

    /// The next chunks become what the message is to become; then comes the next list.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - end: what it is to become.
    ///   - wait: how long a removal is given to be confirmed before a notice follows; only for a recall.
    ///   - work: where it is in the list.
    /// - Returns: `false`, since another list follows.
    /// - Throws: what the database says.
    mutating func stepChunks(
        of message: Int64, _ end: RangeEnd, wait: Duration = .zero, _ work: inout StepwiseWork
    ) throws -> Bool {
        let noticeDue = try ranged(message).flatMap { $0.hasNotice ? now + wait : nil }
        let limit = max(1, room / ServiceLimits.roomPerChunk)
        let chunks = try chunks(of: message, after: Int64(work.position) ?? 0, limit: limit)
        for stored in chunks {
            let now = now
            try change(stored.number) { chunk in
                switch end {
                case .recalled: chunk.recall(at: now, noticeDue: noticeDue)
                case .cancelled: chunk.stop(as: .cancelled)
                case .ended: chunk.end(at: now)
                }
            }
        }
        room -= max(1, chunks.count * ServiceLimits.roomPerChunk)
        work.position = chunks.last.map { String($0.number) } ?? ""
        if chunks.count < limit { work.nextPhase() }
        return false
    }

    /// Holds what waits of a paused message, or lets it go on.
    func holdRange(_ message: Int64, _ hold: Bool) throws {
        try execute(
            "UPDATE ranges SET due = \(hold ? "?" : "coalesce((SELECT send_at FROM messages WHERE number = message), 0)") WHERE message = ?",
            hold ? [Self.never, message] : [message])
        try execute(
            "UPDATE chunks SET channel = -1 - channel WHERE message = ? AND channel \(hold ? ">=" : "<") 0", [message])
        forgetRanged(message)
    }

    /// What is held up already is not added to.
    func waitingAlready(_ lane: DeliveryLane, in channel: Int64, atMost limit: Int) throws -> Int {
        try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE state = 'queued' AND sender IS NULL AND channel = ?
                AND lane = ? AND due <= ? LIMIT ?) AS found
            """, [channel, lane.rawValue, now.millisecondsSince1970, limit])
    }
}
