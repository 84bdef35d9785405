import CarillonCore
import GRDB

/// One write transaction: the connection, the moment it stands for, and the events it has recorded so far.
struct SQLiteTransaction {
    let db: Database
    let now: Timestamp
    private(set) var events: [TimelineEvent] = []

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

    /// Writes an event down and keeps it for those who watch.
    mutating func record(_ event: TimelineEvent, receipt: String? = nil) throws {
        try execute(
            """
            INSERT INTO events
                (message, device, event, at, purpose, revision, attempt, reason, status, apns_id, detail, receipt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                event.message.rawValue, event.device, event.event.rawValue, event.at.millisecondsSince1970,
                event.purpose?.rawValue, event.revision, event.attempt, event.reason, event.status, event.apnsID,
                event.detail, receipt,
            ])
        events.append(event)
    }
}
