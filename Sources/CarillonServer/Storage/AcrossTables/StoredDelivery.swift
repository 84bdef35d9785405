import CarillonCore

/// The delivery of one message to one device, with its keys in the store.
///
/// If the delivery is stored in rows, the table `deliveries` has a row for each of its pushes, and the table `removals` has a row
/// for its removal. Otherwise, the bits at a position in a ``RangeChunk`` store it.
struct StoredDelivery {
    /// The message's number in the store.
    let message: Int64
    let id: MessageID
    let dialect: MessageDialect
    let until: Timestamp?
    let device: String
    /// The device's user at the time when the message was queued, also for a message to everyone; `nil` for none.
    var owner: String?
    /// The number of the ``SendingChannel`` (an app in one APNs environment) to which the delivery's pushes belong.
    ///
    /// While the message is paused, its waiting pushes are held, so that senders do not find them in the channel.
    var channel: Int64
    /// Whether the message is paused.
    let isPaused: Bool
    let lane: DeliveryLane
    /// The number of the delivery's row in `deliveries` whose `purpose` is `show`.
    ///
    /// If a ``RangeChunk`` stores the delivery instead, this is ``ChunkPlace/number``.
    var show: Int64
    /// The delivery's position in a ``RangeChunk``; `nil` if the delivery is stored in rows.
    var place: ChunkPlace?
    /// Whether the message's deliveries are kept as bitmaps (``RangeRules``), not in one row for each device.
    ///
    /// Even then, a delivery has rows if bits cannot express its state.
    var isRanged: Bool { delivery.isRanged }
    /// The newest revision of the message; the device may have an earlier one.
    let newest: Int
    var fallback: Int64?
    var notice: Int64?
    var delivery: Delivery

    /// The SQL of the columns that ``init(_:)`` reads.
    ///
    /// The columns come from the row of `deliveries` whose `purpose` is `show`, and from the tables in ``join``.
    static let columns =
        """
        show.number AS show_number, show.message, show.device, show.user, show.channel, show.lane, show.answers,
        \(pushColumns("show")), fallback.number AS fallback_number, \(pushColumns("fallback")),
        notice.number AS notice_number, \(pushColumns("notice")), holder.silent_unanswered,
        removals.reason AS removal_reason, removals.revision AS removal_revision,
        removals.requested AS removal_requested, removals.confirmed AS removal_confirmed,
        messages.id AS message_id, messages.mode, messages.until, messages.now_or_never, messages.recalled,
        messages.everyone, messages.dialect,
        messages.notice IS NOT NULL AS has_notice, messages.paused, messages.cancelled, messages.ranged,
        messages.revision AS message_revision
        """

    /// The SQL that joins a delivery's main row, the row of `deliveries` whose `purpose` is `show`, with the related rows.
    ///
    /// These are the rows of the message, the device, the removal, and the delivery's second pushes (``SecondPush``: fallback and
    /// notice).
    static let join =
        """
        JOIN messages ON messages.number = show.message
        LEFT JOIN deliveries AS fallback ON fallback.message = show.message AND fallback.device = show.device
            AND fallback.purpose = 'fallback'
        LEFT JOIN deliveries AS notice ON notice.message = show.message AND notice.device = show.device
            AND notice.purpose = 'notice'
        LEFT JOIN devices AS holder ON holder.id = show.device
        LEFT JOIN removals ON removals.device = show.device AND removals.message = show.message
        """

    static func pushColumns(_ table: String) -> String {
        Push.columns.map { "\(table).\($0) AS \(table)_\($0)" }.joined(separator: ", ")
    }

    init(_ row: SQLRow) throws {
        message = try row["message"]
        id = try row.messageID("message_id")
        dialect = try row.choice("dialect")
        until = row.timestamp("until")
        device = try row["device"]
        owner = row.text("user")
        let channel: Int64 = try row["channel"]
        self.channel = max(channel, -1 - channel)
        isPaused = row.timestamp("paused") != nil
        lane = try row.number("lane")
        show = try row["show_number"]
        newest = try row["message_revision"]
        fallback = row["fallback_number"]
        notice = row["notice_number"]
        var delivery = Delivery(
            mode: try row.choice("mode"), user: try row["everyone"] ? nil : owner, show: try row.push("show_"))
        delivery.isRanged = try row["ranged"]
        delivery.isNowOrNever = try row["now_or_never"]
        delivery.isRecalled = row.timestamp("recalled") != nil
        delivery.hasNotice = try row["has_notice"]
        delivery.isCancelled = row.timestamp("cancelled") != nil
        delivery.silentUnanswered = row["silent_unanswered"] ?? 0
        delivery.answers = try ReceiptSet(rawValue: row["answers"])
        if fallback != nil { delivery.fallback = try row.push("fallback_") }
        if notice != nil { delivery.notice = try row.push("notice_") }
        if row.text("removal_reason") != nil {
            delivery.removal = RemovalRequest(
                try row.choice("removal_reason"), revision: try row["removal_revision"],
                requested: try row.requiredTimestamp("removal_requested"),
                confirmed: row.timestamp("removal_confirmed"))
        }
        self.delivery = delivery
    }

    /// Makes a delivery of a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - device: the device's id.
    ///   - owner: the device's user; `nil` for none.
    ///   - channel: the number of the ``SendingChannel`` in which the pushes wait.
    ///   - place: the delivery's position in a ``RangeChunk``; `nil` for a delivery that is stored in rows of its own. The caller
    ///     must insert these rows at once.
    ///   - delivery: the state of the delivery.
    init(
        _ message: RangedMessage, on device: String, owner: String?, channel: Int64, place: ChunkPlace?,
        _ delivery: Delivery
    ) {
        self.message = message.number
        id = message.id
        dialect = message.dialect
        until = message.until
        self.device = device
        self.owner = owner
        self.channel = channel
        isPaused = message.isPaused
        lane = .bulk
        show = place?.number ?? 0
        self.place = place
        newest = message.revision
        self.delivery = delivery
        self.delivery.isRanged = true
        self.delivery.isNowOrNever = message.isNowOrNever
    }
}

extension Push {
    /// The columns of the table `deliveries` that store a push, in the order of the push's ``values``.
    static let columns = [
        "revision", "state", "attempt", "tries", "reach", "reach_before", "queued", "due", "epoch", "sender",
        "flight_revision", "flight_attempt",
    ]

    var values: SQLArguments {
        [
            revision, state.rawValue, attempt, tries, reach.rawValue, reachBefore.rawValue,
            queued.millisecondsSince1970, due.millisecondsSince1970, epoch, sender?.rawValue, inFlight?.revision,
            inFlight?.number,
        ]
    }
}

extension SQLRow {
    /// Decodes a push from the columns of ``Push/columns``.
    ///
    /// - Parameter prefix: the text before each column's name in this row, for example `show_`. The default is none.
    /// - Returns: the push.
    /// - Throws: ``ServiceError`` if a column cannot be decoded.
    func push(_ prefix: String = "") throws -> Push {
        var push = Push(
            revision: try self["\(prefix)revision"], queued: try requiredTimestamp("\(prefix)queued"),
            due: try requiredTimestamp("\(prefix)due"))
        push.state = try choice("\(prefix)state")
        push.attempt = try self["\(prefix)attempt"]
        push.tries = try self["\(prefix)tries"]
        push.reach = try number("\(prefix)reach")
        push.reachBefore = try number("\(prefix)reach_before")
        push.epoch = try self["\(prefix)epoch"]
        push.sender = (self["\(prefix)sender"] as Int64?).map(SenderNumber.init(rawValue:))
        if let revision: Int = self["\(prefix)flight_revision"], let number: Int = self["\(prefix)flight_attempt"] {
            push.inFlight = Attempt(revision: revision, number: number)
        }
        return push
    }

    func number<Choice: RawRepresentable<Int>>(_ column: String) throws -> Choice {
        guard let number: Int = self[column], let choice = Choice(rawValue: number) else { throw unreadable(column) }
        return choice
    }
}
