import CarillonCore
import Foundation
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

    /// Keeps events that a statement has written by itself.
    mutating func note(_ recorded: [TimelineEvent]) { events += recorded }
}

extension SQLiteTransaction {
    /// The user's messages that are unread, not recalled and not expired.
    func unreadCount(of user: String) throws -> Int {
        try integer(
            """
            SELECT count(*) FROM inbox JOIN messages ON messages.id = inbox.message
            WHERE inbox.user = ? AND inbox.read IS NULL AND messages.recalled IS NULL
                AND (messages.until IS NULL OR messages.until > ?)
            """, [user, now.millisecondsSince1970])
    }

    /// The device's unconfirmed removals, newest first.
    func openRemovals(of device: String, limit: Int) throws -> [Removal] {
        try rows(
            """
            SELECT message, revision, reason FROM removals WHERE device = ? AND confirmed IS NULL
            ORDER BY requested DESC, message LIMIT ?
            """, [device, limit]
        ).map { row in
            Removal(
                try row.messageID("message"), revision: row["revision"],
                reason: try row.choice("reason") as Removal.Reason)
        }
    }
}

extension Row {
    /// A column that cannot be read means a damaged database or a newer schema; both end the call with this.
    func unreadable(_ column: String) -> ServiceError {
        ServiceError(.storage, "the database holds something unreadable in column \(column)")
    }

    /// A text that may be NULL. GRDB's subscript ends the process where NULL meets a type that is not optional, so
    /// columns that may be NULL are read with this.
    func text(_ column: String) -> String? { self[column] }

    func messageID(_ column: String) throws -> MessageID {
        guard let text: String = self[column], let id = try? MessageID(text) else { throw unreadable(column) }
        return id
    }

    func timestamp(_ column: String) -> Timestamp? {
        let milliseconds: Int64? = self[column]
        return milliseconds.map(Timestamp.init(millisecondsSince1970:))
    }

    func requiredTimestamp(_ column: String) throws -> Timestamp {
        guard let moment = timestamp(column) else { throw unreadable(column) }
        return moment
    }

    func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
        guard let text: String = self[column], let choice = Choice(rawValue: text) else { throw unreadable(column) }
        return choice
    }

    func payload(_ column: String) throws -> Payload {
        guard let data: Data = self[column] else { throw unreadable(column) }
        return try Payload(json: try JSONValue(parsing: data))
    }

    func event() throws -> TimelineEvent {
        let purpose: String? = self["purpose"]
        return TimelineEvent(
            message: try messageID("message"), device: self["device"], event: try choice("event"),
            at: try requiredTimestamp("at"), purpose: purpose.flatMap(PushPurpose.init(rawValue:)),
            revision: self["revision"], attempt: self["attempt"], reason: self["reason"], status: self["status"],
            apnsID: self["apns_id"], detail: self["detail"])
    }
}
