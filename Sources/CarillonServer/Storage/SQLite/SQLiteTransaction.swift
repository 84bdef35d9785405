import CarillonCore
import GRDB

/// One write transaction: the connection, the moment it stands for, and the events it has recorded so far.
///
/// A message is named by its number here, which is unique among all apps; its id is so only within one.
struct SQLiteTransaction {
    let db: Database
    let now: Timestamp
    private(set) var events: [TimelineEvent] = []
    /// How many devices it may still deal with.
    var room = ServiceLimits.devicesPerStep
    /// Pieces of work that it has begun, or gone on with, and not finished.
    var unfinished: [Int64] = []
    /// What messages say, by their numbers: read once for all their deliveries.
    var contents: [Int64: MessageContent] = [:]

    init(db: Database, now: Timestamp) {
        self.db = db
        self.now = now
    }

    func execute(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [Row] {
        try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Row? {
        try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    func integer(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
        try Int.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments) ?? 0
    }

    /// A message's number; `nil` when its app has no message with that id.
    func number(of message: MessageReference) throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT number FROM messages WHERE app = ? AND id = ?"),
            arguments: [message.app.rawValue, message.id.rawValue])
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
}
