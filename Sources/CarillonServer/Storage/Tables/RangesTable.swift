import CarillonCore

/// Reads and writes the table `ranges`: the messages whose deliveries are kept as bitmaps (``RangeRules``), not in one row for
/// each device.
///
/// The service determines the recipients of such a message in ranges of consecutive ordinals, the devices' running numbers in the
/// app. The deliveries to one range are stored as the bits of a ``RangeChunk``.
struct RangesTable: StoreTable {
    let session: StoreSession

    /// Returns a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``); `nil` if its deliveries
    /// are stored in a row for each device instead.
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
        messages.send_at, messages.local, messages.until, messages.now_or_never, messages.recalled, messages.cancelled, messages.paused,
        messages.notice IS NOT NULL AS has_notice
        """

    private static let rangedJoin =
        "FROM ranges JOIN messages ON messages.number = ranges.message JOIN apps ON apps.number = ranges.app"

    /// Drops a message from the session's cache, because its row has changed.
    func forget(_ message: Int64) {
        session.cache.messages[message] = nil
        session.cache.asking = [:]
    }

    // MARK: Plans

    /// Inserts the row of a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// The service determines the message's recipients later, while it sends the message.
    func plan(_ message: NewMessage, _ number: Int64) throws {
        try execute(
            "INSERT INTO ranges (message, app, chunk_devices, condition, counts, due) VALUES (?, ?, ?, ?, ?, ?)",
            [number, message.app.number.rawValue, session.rules.chunkDevices] + planned(message))
    }

    /// Updates the row of a message in `ranges` for a newer revision of the message.
    ///
    /// Each ``RangeChunk`` of the newer revision covers as many devices as a chunk of the earlier revision.
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

    /// Returns the number of a message whose next recipients must be determined now, for a further ``RangeChunk``.
    ///
    /// - Parameters:
    ///   - channels: the channels (``SendingChannel``) whose pushes a sender may send.
    ///   - buckets: the rate limits, by app number.
    /// - Returns: the message's number; `nil` if no message that may be sent now needs a further chunk.
    /// - Throws: the errors of the database.
    func messageToPlan(_ channels: OpenChannels, _ buckets: [Int64: TokenBucket]) throws -> Int64? {
        try rows(toPlan).first { row in
            let app: Int64 = try row["app"]
            return channels.contain(app: app) && buckets[app]?.available(to: .bulk) != 0
        }?["message"]
    }

    /// The query of ``messageToPlan(_:_:)``.
    var toPlan: SQLStatement {
        SQLStatement(
            sql: """
                SELECT message, app FROM ranges WHERE open = 1 AND (due <= ? OR (due > ? AND due < ? AND \(Self.isUnscheduled)))
                    AND \(Self.isPlannable) ORDER BY due, message
                """,
            arguments: [
                now.millisecondsSince1970, (now + StoreLimits.longestTurn).millisecondsSince1970, WorkTable.never,
            ])
    }

    /// The SQL condition that a message may get further chunks (``RangeChunk``), because no push of an earlier revision is in
    /// flight.
    ///
    /// A chunk has the deliveries of one message to a range of devices. Without this condition, a newer revision could overtake
    /// a push of an earlier revision.
    private static let isPlannable =
        """
        NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.message = ranges.message AND chunks.sender IS NOT NULL
            AND chunks.revision < (SELECT revision FROM messages WHERE number = ranges.message))
        """

    /// The SQL condition that a message has no scheduled time.
    ///
    /// Such a message is due when it is accepted. If its due time is still far in the future, the clock was set back after the
    /// acceptance, and sending begins at once.
    private static let isUnscheduled = "(SELECT send_at FROM messages WHERE number = ranges.message) IS NULL"

    /// Returns the app of each message that needs a further ``RangeChunk``, and the time at which the chunk is due, earliest
    /// first.
    func plansDue() throws -> [(app: Int64, due: Timestamp)] {
        try rows(Self.plansDue).map { try ($0["app"], try $0.requiredTimestamp("due")) }
    }

    /// The query of ``plansDue()``.
    static let plansDue = SQLStatement(
        sql: "SELECT app, due FROM ranges WHERE open = 1 AND due < ? AND \(isPlannable) ORDER BY due",
        arguments: [WorkTable.never])

    /// Records that the sending of a message has begun, and to which range of devices the message goes.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - last: the greatest device ordinal (running number in the app) at this time; devices that get greater ordinals later do
    ///     not get the message.
    ///   - chunkDevices: the number of consecutive ordinals that each ``RangeChunk`` of the message covers.
    /// - Throws: the errors of the database.
    func begin(_ message: Int64, last: Int64, chunkDevices: Int) throws {
        try execute(
            "UPDATE ranges SET began = ?, last = ?, chunk_devices = ? WHERE message = ?",
            [now.millisecondsSince1970, last, chunkDevices, message])
        forget(message)
    }

    /// Stores how far a message's chunks (``RangeChunk``) have been created.
    ///
    /// A chunk has the deliveries of one message to a range of devices.
    ///
    /// - Parameters:
    ///   - end: the greatest device ordinal (running number in the app) that the chunks cover.
    ///   - isOpen: whether further chunks must be created.
    ///   - message: the message's number.
    /// - Throws: the errors of the database.
    func keep(planned end: Int64, isOpen: Bool, of message: Int64) throws {
        try execute("UPDATE ranges SET planned = ?, open = ? WHERE message = ?", [end, isOpen, message])
        if !isOpen { session.maybeFinished.insert(message) }
        forget(message)
    }

    // MARK: Ends

    /// The reason why a message whose deliveries are kept as bitmaps with a bit for each device (``RangeRules``) is not sent to
    /// further devices.
    ///
    /// The message was recalled, was cancelled, or has expired (`ended`).
    enum RangeEnd {
        case recalled, cancelled, ended
    }

    /// Makes the service create no further chunks (``RangeChunk``) of a message.
    ///
    /// A chunk has the deliveries of one message to a range of devices. Waiting pushes of existing chunks are not affected; the
    /// task (``StepwiseWork``) that ends the message stops them later.
    func stopPlanning(of message: Int64) throws {
        try execute("UPDATE ranges SET open = 0 WHERE message = ?", [message])
        session.maybeFinished.insert(message)
        forget(message)
    }

    /// Records that a message has been recalled, has been cancelled or has expired now.
    ///
    /// From now on, devices that the message may have reached must remove it.
    func mark(_ message: Int64, _ end: RangeEnd) throws {
        try stopPlanning(of: message)
        let column = end == .recalled ? "withdrawn" : "ended"
        try execute(
            "UPDATE ranges SET \(column) = coalesce(\(column), ?) WHERE message = ?",
            [now.millisecondsSince1970, message])
        forget(message)
    }

    /// Stops the creation of further chunks (``RangeChunk``) of a paused message; if `hold` is false, lets the creation
    /// continue.
    ///
    /// A chunk has the deliveries of one message to a range of devices.
    func hold(_ message: Int64, _ hold: Bool) throws {
        try execute(
            "UPDATE ranges SET due = \(hold ? "?" : "coalesce((SELECT send_at FROM messages WHERE number = message), 0)") WHERE message = ?",
            hold ? [WorkTable.never, message] : [message])
        forget(message)
    }

    /// Sets aside a message for which no ``RangeChunk`` can be created, so that senders skip the message until an operator acts.
    func setAside(_ message: Int64, because error: any Error) throws {
        try execute("UPDATE ranges SET open = 0, problem = ? WHERE message = ?", ["\(error)", message])
        forget(message)
    }

    /// Lets senders create chunks (``RangeChunk``) again for all messages that are set aside.
    ///
    /// A chunk has the deliveries of one message to a range of devices. A message is set aside, and senders skip it, if a chunk
    /// of it could not be created (``setAside(_:because:)``).
    ///
    /// - Returns: the number of these messages.
    func retrySetAside() throws -> Int {
        try changes("UPDATE ranges SET problem = NULL, open = 1 WHERE problem IS NOT NULL")
    }

    /// Returns the numbers of an app's messages, among those whose deliveries are kept as bitmaps, whose named recipients may
    /// include a user.
    func ranges(naming user: UserReference) throws -> [Int64] {
        try rows(
            "SELECT message FROM ranges WHERE app = ? AND \(dialect.position)(condition, ?) > 0 ORDER BY message",
            [user.app.rawValue, try Self.json(user.id)]
        ).map { try $0["message"] }
    }

    /// Removes a user from the named recipients of messages whose deliveries are kept as bitmaps, a bit for each device
    /// (``RangeRules``).
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - messages: the numbers of the messages, from ``ranges(naming:)``.
    /// - Throws: the errors of the database.
    func leaveOut(_ user: UserReference, of messages: [Int64]) throws {
        for message in messages {
            let row = try row("SELECT condition FROM ranges WHERE message = ?", [message])
            guard case .users(let users) = try Audience(rangeCondition: row?.text("condition")) else { continue }
            let others = Audience.users(users.filter { !UserID.isEqual($0, user.id) })
            try execute("UPDATE ranges SET condition = ? WHERE message = ?", [try others.rangeCondition, message])
            forget(message)
        }
    }

    /// Deletes a message's row in `ranges`, and returns the number of deleted rows: 1 or 0.
    func purge(_ message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "ranges", by: "message", limit: limit)
    }

    // MARK: Existence

    func isOpen(_ message: Int64) throws -> Bool {
        try integer("SELECT open FROM ranges WHERE message = ?", [message]) > 0
    }

    /// Returns whether the store has messages whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    func hasRanges() throws -> Bool {
        if let known = session.cache.hasRanges { return known }
        let found = try row(Self.anyRange)?["found"] == true
        session.cache.hasRanges = found
        return found
    }

    /// The query of ``hasRanges()``.
    static let anyRange = SQLStatement(sql: "SELECT EXISTS (SELECT 1 FROM ranges) AS found")

    /// Returns whether some devices must still remove a message of an app, among the messages whose deliveries are kept as
    /// bitmaps, a bit for each device (``RangeRules``).
    func isAsking(_ app: Int64) throws -> Bool {
        guard try hasRanges() else { return false }
        if let known = session.cache.asking[app] { return known }
        let found = try row(asking(app))?["found"] == true
        session.cache.asking[app] = found
        return found
    }

    /// Returns the query of ``isAsking(_:)``.
    func asking(_ app: Int64) -> SQLStatement {
        SQLStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM ranges WHERE app = ? AND (\(Self.asks))) AS found",
            arguments: [app] + asksSince)
    }

    static let asks = "ranges.withdrawn > ? OR ranges.ended > ? OR ranges.replaced > ?"

    /// The values for the three question marks in ``asks``: each is the present minus ``DeliveryLimits/deliveryLifetime``, in
    /// milliseconds.
    ///
    /// Older requests to remove a message are ignored, because APNs keeps no push for longer than this time.
    var asksSince: SQLArguments {
        let oldest = (now - DeliveryLimits.deliveryLifetime).millisecondsSince1970
        return [oldest, oldest, oldest]
    }

    /// Returns whether an app has messages that count as unread until users read them, and whose deliveries are kept as bitmaps,
    /// a bit for each device (``RangeRules``).
    func isCounting(_ app: Int64) throws -> Bool {
        if let known = session.cache.counting[app] { return known }
        let found = try row(Self.counting(app))?["found"] == true
        session.cache.counting[app] = found
        return found
    }

    /// Returns the query of ``isCounting(_:)``.
    static func counting(_ app: Int64) -> SQLStatement {
        SQLStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM ranges WHERE app = ? AND counts = 1) AS found", arguments: [app])
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
        message.local = try localSchedule()
        message.isNowOrNever = try self["now_or_never"]
        return message
    }
}
