import CarillonCore

/// Messages that are sent by ranges: the table `ranges`.
struct RangesTable: StoreTable {
    let session: StoreSession

    /// Returns a range-sent message; `nil` for a message with a row for each device.
    func ranged(_ message: Int64) throws -> RangedMessage? {
        if let known = session.cache.messages[message] { return known }
        let row = try row(
            "SELECT \(Self.rangedColumns) \(Self.rangedJoin) WHERE ranges.message = ?", [message])
        guard let row else { return nil }
        let read = try row.rangedMessage()
        session.cache.messages[message] = read
        return read
    }

    private static let rangedColumns =
        """
        ranges.*, messages.id, apps.topic, messages.mode, messages.dialect, messages.revision, messages.accepted,
        messages.send_at, messages.until, messages.recalled, messages.cancelled, messages.paused,
        messages.notice IS NOT NULL AS has_notice
        """

    private static let rangedJoin =
        "FROM ranges JOIN messages ON messages.number = ranges.message JOIN apps ON apps.number = ranges.app"

    /// Drops a message from the cache, because its row has changed.
    func forget(_ message: Int64) {
        session.cache.messages[message] = nil
        session.cache.asking = [:]
    }

    // MARK: Plans

    /// Stores the plan of a message whose recipients are determined while it is sent.
    func plan(_ message: NewMessage, _ number: Int64) throws {
        try execute(
            "INSERT INTO ranges (message, app, chunk_devices, condition, counts, due) VALUES (?, ?, ?, ?, ?, ?)",
            [number, message.app.number.rawValue, session.rules.chunkDevices] + planned(message))
    }

    /// Stores the plan of a newer revision, whose chunks keep the earlier width.
    func replan(_ message: NewMessage, _ number: Int64) throws {
        try execute(
            """
            UPDATE ranges SET condition = ?, counts = ?, due = ?, last = NULL, began = NULL, planned = 0, open = 1,
                withdrawn = NULL, ended = NULL, problem = NULL, replaced = ? WHERE message = ?
            """, planned(message) + [now.millisecondsSince1970, number])
        forget(number)
    }

    private func planned(_ message: NewMessage) throws -> SQLArguments {
        let due = max(now, message.sendAt ?? now)
        return [try message.audience.rangeCondition, message.countsAsUnread, due.millisecondsSince1970]
    }

    /// Returns the message whose next chunk is to be planned; `nil` if there is none that may be sent.
    func messageToPlan(_ channels: OpenChannels, _ buckets: [Int64: TokenBucket]) throws -> Int64? {
        try rows(
            """
            SELECT message, app FROM ranges WHERE open = 1 AND (due <= ? OR (due > ? AND due < ? AND \(Self.isUnscheduled)))
                AND \(Self.isPlannable) ORDER BY due, message
            """, [now.millisecondsSince1970, (now + StoreLimits.longestTurn).millisecondsSince1970, WorkTable.never]
        ).first { row in
            let app: Int64 = try row["app"]
            return channels.contain(app: app) && buckets[app]?.available(to: .bulk) != 0
        }?["message"]
    }

    /// The condition that no push of an earlier revision is in flight.
    ///
    /// A newer revision must not overtake it.
    private static let isPlannable =
        """
        NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.message = ranges.message AND chunks.sender IS NOT NULL
            AND chunks.revision < (SELECT revision FROM messages WHERE number = ranges.message))
        """

    /// The condition that a message has no scheduled time.
    ///
    /// If such a message is due much later, it was accepted before the clock was set back.
    private static let isUnscheduled = "(SELECT send_at FROM messages WHERE number = ranges.message) IS NULL"

    /// Returns the times at which messages are next due to be planned, each with its app, earliest first.
    func plansDue() throws -> [(app: Int64, due: Timestamp)] {
        try rows(
            "SELECT app, due FROM ranges WHERE open = 1 AND due < ? AND \(Self.isPlannable) ORDER BY due",
            [WorkTable.never]
        ).map { try ($0["app"], try $0.requiredTimestamp("due")) }
    }

    /// Records that sending has begun, with the greatest ordinal that gets the message.
    func begin(_ message: Int64, last: Int64, chunkDevices: Int) throws {
        try execute(
            "UPDATE ranges SET began = ?, last = ?, chunk_devices = ? WHERE message = ?",
            [now.millisecondsSince1970, last, chunkDevices, message])
        forget(message)
    }

    /// Stores the ordinal up to which a message is planned, and whether more is to be planned.
    func keep(planned end: Int64, isOpen: Bool, of message: Int64) throws {
        try execute("UPDATE ranges SET planned = ?, open = ? WHERE message = ?", [end, isOpen, message])
        forget(message)
    }

    // MARK: Ends

    /// The way in which a message ends on all devices.
    enum RangeEnd {
        case recalled, cancelled, ended
    }

    /// Stops the planning of a message.
    ///
    /// Later steps handle its existing chunks.
    func stopPlanning(of message: Int64) throws {
        try execute("UPDATE ranges SET open = 0 WHERE message = ?", [message])
        forget(message)
    }

    /// Records the time since which devices must remove a message that may have reached them.
    func mark(_ message: Int64, _ end: RangeEnd) throws {
        try stopPlanning(of: message)
        let column = end == .recalled ? "withdrawn" : "ended"
        try execute(
            "UPDATE ranges SET \(column) = coalesce(\(column), ?) WHERE message = ?",
            [now.millisecondsSince1970, message])
        forget(message)
    }

    /// Holds the planning of a paused message, or releases it.
    func hold(_ message: Int64, _ hold: Bool) throws {
        try execute(
            "UPDATE ranges SET due = \(hold ? "?" : "coalesce((SELECT send_at FROM messages WHERE number = message), 0)") WHERE message = ?",
            hold ? [WorkTable.never, message] : [message])
        forget(message)
    }

    /// Sets a message aside that cannot be planned, until an operator acts.
    func setAside(_ message: Int64, because error: any Error) throws {
        try execute("UPDATE ranges SET open = 0, problem = ? WHERE message = ?", ["\(error)", message])
        forget(message)
    }

    /// Allows the planning of messages again that were set aside.
    ///
    /// - Returns: the number of messages.
    func retrySetAside() throws -> Int {
        try changes("UPDATE ranges SET problem = NULL, open = 1 WHERE problem IS NOT NULL")
    }

    /// Removes a user from the named recipients of range-sent messages.
    func leaveOut(_ user: UserReference) throws {
        let named = try rows(
            "SELECT message, condition FROM ranges WHERE app = ? AND \(dialect.position)(condition, ?) > 0",
            [user.app.rawValue, try Self.json(user.id)])
        for row in named {
            guard case .users(let users) = try Audience(rangeCondition: row.text("condition")) else { continue }
            let others = Audience.users(users.filter { !UserID.isEqual($0, user.id) })
            try execute(
                "UPDATE ranges SET condition = ? WHERE message = ?",
                [try others.rangeCondition, row["message"] as Int64])
        }
    }

    /// Deletes the row of a message and returns the number of deleted rows.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "ranges", by: "message", limit: limit)
    }

    // MARK: Existence

    func isOpen(_ message: Int64) throws -> Bool {
        try integer("SELECT open FROM ranges WHERE message = ?", [message]) > 0
    }

    /// Returns whether the store has range-sent messages.
    func hasRanges() throws -> Bool {
        if let known = session.cache.hasRanges { return known }
        let found = try integer("SELECT EXISTS (SELECT 1 FROM ranges)") > 0
        session.cache.hasRanges = found
        return found
    }

    /// Returns whether an app has range-sent messages that devices must remove.
    func isAsking(_ app: Int64) throws -> Bool {
        guard try hasRanges() else { return false }
        if let known = session.cache.asking[app] { return known }
        let sql = "SELECT EXISTS (SELECT 1 FROM ranges WHERE app = ? AND (\(Self.asks)))"
        let found = try integer(sql, [app] + asksSince) > 0
        session.cache.asking[app] = found
        return found
    }

    static let asks = "ranges.withdrawn > ? OR ranges.ended > ? OR ranges.replaced > ?"

    /// The values for ``asks``: the time since which removals matter, because APNs keeps pushes that long.
    var asksSince: SQLArguments {
        let oldest = (now - DeliveryLimits.deliveryLifetime).millisecondsSince1970
        return [oldest, oldest, oldest]
    }

    /// Returns whether an app has range-sent messages that count as unread.
    func isCounting(_ app: Int64) throws -> Bool {
        if let known = session.cache.counting[app] { return known }
        let found = try integer("SELECT EXISTS (SELECT 1 FROM ranges WHERE app = ? AND counts = 1)", [app]) > 0
        session.cache.counting[app] = found
        return found
    }
}

extension SQLRow {
    fileprivate func rangedMessage() throws -> RangedMessage {
        let accepted = try requiredTimestamp("accepted")
        var message = RangedMessage(
            number: try self["message"], id: try messageID("id"), app: try app("app", "topic"),
            mode: try choice("mode"),
            dialect: try choice("dialect"), revision: try self["revision"],
            accepted: Swift.max(accepted, timestamp("send_at") ?? accepted), until: timestamp("until"),
            isRecalled: timestamp("recalled") != nil, isCancelled: timestamp("cancelled") != nil,
            isPaused: timestamp("paused") != nil, chunkDevices: try self["chunk_devices"], condition: text("condition"),
            last: self["last"], began: timestamp("began"), planned: try self["planned"],
            ended: timestamp("ended"))
        message.hasNotice = try self["has_notice"]
        return message
    }
}
