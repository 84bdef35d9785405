import CarillonCore

/// One write transaction: the connection, the moment it stands for, and the events it has recorded so far.
///
/// A message is named by its number here, which is unique among all apps; its id is so only within one.
package struct StoreTransaction {
    let connection: any SQLConnection
    let now: Timestamp
    private(set) var events: [TimelineEvent] = []
    /// Plain acceptances that it has written down, of which ``events`` has nothing.
    private(set) var accepted: [SettledPushes.Accepted] = []
    /// How many devices it may still deal with.
    var room = ServiceLimits.devicesPerStep
    /// Pieces of work that it has begun, or gone on with, and not finished.
    var unfinished: [Int64] = []
    /// What messages say, by their numbers: read once for all their deliveries.
    var contents: [Int64: MessageContent] = [:]
    /// What it has read of messages that are sent by ranges.
    let cache = ChunkCache()
    /// When a message is sent by ranges.
    let ranges: RangeRules
    /// Pushes that were encoded before.
    let templates: PushTemplates
    /// The devices of the one user whom a message is for, since they were counted.
    var counted: (user: String, app: Int64, devices: [SQLRow])?

    init(
        connection: any SQLConnection, now: Timestamp, ranges: RangeRules, templates: PushTemplates = PushTemplates()
    ) {
        self.connection = connection
        self.now = now
        self.ranges = ranges
        self.templates = templates
    }

    /// Runs the body of a call that writes.
    static func running<Value>(
        _ body: (inout StoreTransaction) throws -> Value, on connection: any SQLConnection, at now: Timestamp,
        _ ranges: RangeRules, _ templates: PushTemplates
    ) throws -> Value {
        var transaction = StoreTransaction(connection: connection, now: now, ranges: ranges, templates: templates)
        let value = try body(&transaction)
        try transaction.keepChunks()
        return value
    }

    var dialect: SQLDialect { connection.dialect }

    func execute(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws {
        try connection.execute(sql, arguments)
    }

    /// Runs a statement, and counts the rows that it has inserted, changed or deleted.
    func changes(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> Int {
        try connection.changes(sql, arguments)
    }

    /// Inserts a row into a table with the column `number`.
    ///
    /// - Returns: its number; `nil` where there is one already and the statement says what is done then.
    func insertNumbered(_ sql: String, _ arguments: SQLArguments) throws -> Int64? {
        try connection.insert(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> [SQLRow] {
        try connection.rows(sql, arguments)
    }

    func row(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> SQLRow? {
        try connection.row(sql, arguments)
    }

    /// The number in the first column of the first row; 0 when there is none.
    func integer(_ sql: String, _ arguments: SQLArguments = SQLArguments()) throws -> Int {
        try connection.row(sql, arguments)?.values.first.flatMap { Int($0) } ?? 0
    }

    /// A statement that always inserts a row has not.
    func notWritten<Value>(_ what: String) throws -> Value {
        throw ServiceError(.storage, "the database has not kept a \(what)")
    }

    /// A message's number; `nil` when its app has no message with that id.
    func number(of message: MessageReference) throws -> Int64? {
        try row("SELECT number FROM messages WHERE app = ? AND id = ?", [message.app.rawValue, message.id.rawValue])?[
            "number"]
    }

    /// A message's id.
    ///
    /// - Throws: ``ServiceError`` when there is no message with that number, which no row should name then.
    func id(ofMessage number: Int64) throws -> MessageID {
        guard let row = try row("SELECT id FROM messages WHERE number = ?", [number]) else {
            throw ServiceError(.storage, "the database names a message that it does not have")
        }
        return try row.messageID("id")
    }

    /// Writes an event down and keeps it for those who watch.
    mutating func record(_ event: TimelineEvent, about message: Int64, receipt: String? = nil) throws {
        try execute(
            """
            INSERT INTO events
                (message, device, event, at, purpose, revision, attempt, reason, status, apns_id, detail, reply, receipt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                message, event.device, event.event.rawValue, event.at.millisecondsSince1970,
                event.purpose?.rawValue, event.revision, event.attempt, event.reason, event.status, event.apnsID,
                event.detail, event.reply, receipt,
            ])
        events.append(event)
    }

    /// Tells those who watch of an event that is kept as bits.
    mutating func tell(_ event: TimelineEvent) { events.append(event) }

    /// What it has to tell of outcomes; what comes after is told apart.
    mutating func tellSettled() -> SettledPushes {
        defer { (events, accepted) = ([], []) }
        return SettledPushes(events: events, accepted: accepted)
    }

    /// The same of plain acceptances.
    mutating func tell(accepted settlements: ArraySlice<Settlement>, of message: MessageID) {
        accepted.append(SettledPushes.Accepted(message: message, settlements: settlements, place: events.count))
    }
}
