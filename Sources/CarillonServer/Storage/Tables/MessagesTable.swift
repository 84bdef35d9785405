import CarillonCore
import Foundation

/// Reads and writes messages, the values of their variables, and their idempotency keys.
///
/// The SQL tables are `messages`, `message_variables` and `idempotency`. Each function that changes a message
/// adds it to the changes that are published after the commit.
struct MessagesTable: StoreTable {
    let session: StoreSession

    /// Returns a message's number; `nil` if its app has no message with that id.
    func number(of message: MessageReference) throws -> Int64? {
        try row(Self.number(of: message))?["number"]
    }

    /// Returns the query of ``number(of:)``.
    static func number(of message: MessageReference) -> SQLStatement {
        SQLStatement(
            sql: "SELECT number FROM messages WHERE app = ? AND id = ?",
            arguments: [message.app.rawValue, message.id.rawValue])
    }

    /// Returns the numbers and revisions of an app's messages with these ids, by id.
    func numbers(
        of ids: [MessageID], _ app: AppNumber
    ) throws -> [MessageID: (number: Int64, revision: Int)] {
        let rows = try rows(
            "SELECT id, number, revision FROM messages WHERE app = ? AND \(dialect.isAmongTexts("id"))",
            [app.rawValue, try Self.json(ids.map(\.rawValue))])
        return try Dictionary(rows.map { try ($0.messageID("id"), ($0["number"], $0["revision"])) }) { first, _ in first
        }
    }

    /// Returns a message's id.
    ///
    /// - Throws: ``ServiceError`` if there is no message with this number, which means a damaged database.
    func id(ofMessage number: Int64) throws -> MessageID {
        guard let row = try row("SELECT id FROM messages WHERE number = ?", [number]) else { throw Self.noMessage }
        return try row.messageID("id")
    }

    private static let noMessage = ServiceError(.storage, "the database names a message that it does not have")

    /// Returns the row of the message with this id; `nil` if the app has no such message.
    func row(of message: MessageID, of app: AppNumber) throws -> SQLRow? {
        try row("SELECT * FROM messages WHERE app = ? AND id = ?", [app.rawValue, message.rawValue])
    }

    /// Returns the number of any of an app's messages; `nil` if the app has none.
    func anyMessage(of app: AppNumber) throws -> Int64? {
        try row("SELECT number FROM messages WHERE app = ? LIMIT 1", [app.rawValue])?["number"]
    }

    // MARK: Acceptance

    /// Inserts a message, unless the app already has a message with this id, or does not exist any more.
    ///
    /// - Returns: the message's number; `nil` if nothing was inserted.
    func insert(_ message: NewMessage, devices: Int) throws -> Int64? {
        try insert(
            message,
            by: SQLStatement(
                sql: "\(Self.insertNewMessage) \(Self.unlessKnown)",
                arguments: try values(of: message, revision: 1, devices) + [message.app.number.rawValue]))?.number
    }

    /// Returns the statement that inserts a message to named recipients, and counts its devices.
    ///
    /// It inserts nothing if there are more than ``StoreLimits/audienceDevices``, if the request is a repetition
    /// (``repetition(of:)``), and for the reasons of ``insert(_:devices:)``.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - condition: selects the message's devices among all devices.
    /// - Returns: the statement.
    /// - Throws: an error if the message's texts cannot be encoded.
    func insertion(of message: NewMessage, counting condition: SQLCondition) throws -> SQLStatement {
        var sql = "\(Self.insertCounted(condition.sql)) AND found.devices <= ?"
        var arguments = try values(of: message, revision: 1, nil) + condition.arguments
        arguments += [message.app.number.rawValue, StoreLimits.audienceDevices]
        if let key = message.idempotencyKey {
            // A request that was answered before inserts nothing.
            sql += " AND NOT EXISTS (SELECT 1 \(Self.earlierRequest))"
            arguments += [key.owner, key.key]
        }
        return SQLStatement(sql: "\(sql) \(Self.unlessKnown)", arguments: arguments)
    }

    /// Inserts a message with a statement of ``insertion(of:counting:)``.
    ///
    /// - Returns: the message's number, and the number of its devices; `nil` if nothing was inserted.
    func insert(_ message: NewMessage, by insertion: SQLStatement) throws -> (number: Int64, devices: Int)? {
        guard let row = try row(insertion) else { return nil }
        session.emit(MessageReference(message.id, of: message.app.number), .messageAccepted)
        return try (row["number"], row["devices"])
    }

    /// Replaces the message with this number with a newer revision.
    func replace(_ number: Int64, revision: Int, with message: NewMessage, devices: Int) throws {
        try execute(Self.replaceMessage, try values(of: message, revision: revision, devices))
        try noteChange(.messageReplaced, of: number, MessageReference(message.id, of: message.app.number))
    }

    private static let insertMessage = """
        INSERT INTO messages (app, id, mode, until, payload, badge_is_unread, fingerprint, audience, revision,
            devices, accepted, dialect, everyone, remove_expired, expires, keeps_replies, texts, send_at,
            now_or_never, campaign, local)
        """

    private static let messageValues = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
    private static let countedValues = "?, ?, ?, ?, ?, ?, ?, ?, ?, found.devices, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

    private static let insertNewMessage = "\(insertMessage) SELECT \(messageValues) FROM apps WHERE number = ?"

    private static func insertCounted(_ condition: String) -> String {
        """
        \(insertMessage) SELECT \(countedValues) FROM apps
            CROSS JOIN (SELECT count(*) AS devices FROM devices
                WHERE state = 'active' AND token IS NOT NULL AND \(condition)) AS found
        WHERE apps.number = ?
        """
    }

    private static let unlessKnown = "ON CONFLICT (app, id) DO NOTHING RETURNING number, devices"

    private static let replaceMessage = """
        \(insertMessage) VALUES (\(messageValues))
        ON CONFLICT (app, id) DO UPDATE SET
            mode = excluded.mode, until = excluded.until, payload = excluded.payload,
            badge_is_unread = excluded.badge_is_unread, fingerprint = excluded.fingerprint,
            audience = excluded.audience, revision = excluded.revision, devices = excluded.devices,
            accepted = excluded.accepted, dialect = excluded.dialect, everyone = excluded.everyone,
            remove_expired = excluded.remove_expired, expires = excluded.expires,
            keeps_replies = excluded.keeps_replies, texts = excluded.texts, send_at = excluded.send_at,
            now_or_never = excluded.now_or_never, campaign = excluded.campaign, local = excluded.local,
            recalled = NULL, notice = NULL, paused = NULL, cancelled = NULL, nobody = NULL
        """

    /// Returns the values of a message's row; those without `devices` leave this column's value out.
    private func values(of message: NewMessage, revision: Int, _ devices: Int?) throws -> SQLArguments {
        let first: SQLArguments = [
            message.app.number.rawValue, message.id.rawValue, message.mode.rawValue,
            message.until?.millisecondsSince1970, message.payload, message.badgeIsUnreadCount,
            message.fingerprint, message.audience.fingerprint, revision,
        ]
        let last: SQLArguments = [
            now.millisecondsSince1970,
            message.dialect.rawValue, message.audience.isBroadcast, message.removesExpired,
            (message.removesExpired || message.countsAsUnread) ? message.until?.millisecondsSince1970 : nil,
            message.keepsReplies,
            message.texts.isEmpty ? nil : try CarillonJSON.encode(message.texts),
            message.sendAt?.millisecondsSince1970, message.isNowOrNever, message.campaign,
            try message.local.map { String(decoding: try CarillonJSON.encode($0), as: UTF8.self) },
        ]
        return first + (devices.map { [$0] } ?? []) + last
    }

    /// Records that the deliveries of a message are kept as bitmaps (``RangeRules``), not in one row for each device.
    func markRanged(_ message: Int64) throws {
        try execute("UPDATE messages SET ranged = 1 WHERE number = ?", [message])
    }

    /// Returns the rules of a message in local time; `nil` for any other message.
    func localSchedule(of message: Int64) throws -> LocalSchedule? {
        try row("SELECT local FROM messages WHERE number = ?", [message])?.localSchedule()
    }

    /// Returns the numbers of an app's newest messages in local time that may still wait for the moments of devices, and whose
    /// deliveries are kept as bitmaps (``RangeRules``).
    func waitingForLocalTime(in app: AppNumber) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM messages
            WHERE app = ? AND local IS NOT NULL AND send_at > ? AND send_at <= ? AND ranged = 1
                AND recalled IS NULL AND cancelled IS NULL ORDER BY send_at DESC LIMIT ?
            """,
            [
                app.rawValue,
                (now - LocalTime.furthestAhead - LocalTime.furthestBehind).millisecondsSince1970,
                now.millisecondsSince1970, StoreLimits.liveBroadcasts,
            ]
        ).map { try $0["number"] }
    }

    /// Stores the reason why a message is for no device.
    func note(_ reason: NobodyReason, of message: Int64) throws {
        try execute("UPDATE messages SET nobody = ? WHERE number = ?", [reason.rawValue, message])
    }

    /// Counts the deliveries of a message's revision in the table `deliveries`, and stores their number as the message's number
    /// of devices.
    ///
    /// - Returns: the number.
    func countDevices(of message: Int64, revision: Int) throws -> Int {
        try execute(
            """
            UPDATE messages SET devices = (SELECT count(*) FROM deliveries
                WHERE message = messages.number AND purpose = 'show' AND revision = ?) WHERE number = ?
            """, [revision, message])
        return try integer("SELECT devices FROM messages WHERE number = ?", [message])
    }

    // MARK: Ends

    /// Marks a message as recalled, and stores the notice that replaces the message on devices.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - notice: a ``RecallNotice`` in JSON; `nil` for none.
    /// - Throws: the errors of the database.
    func recall(_ message: Int64, notice: Data?) throws {
        let reference = try known(message)
        try execute(
            "UPDATE messages SET recalled = coalesce(recalled, ?), notice = coalesce(notice, ?), paused = NULL WHERE number = ?",
            [now.millisecondsSince1970, notice, message])
        try noteChange(.messageRecalled, of: message, reference)
    }

    func pause(_ message: Int64) throws {
        try execute("UPDATE messages SET paused = ? WHERE number = ?", [now.millisecondsSince1970, message])
        try noteChange(.messagePaused, of: message)
    }

    func resume(_ message: Int64) throws {
        try execute("UPDATE messages SET paused = NULL WHERE number = ?", [message])
        try noteChange(.messageResumed, of: message)
    }

    func cancel(_ message: Int64) throws {
        try execute(
            "UPDATE messages SET cancelled = ?, paused = NULL WHERE number = ?", [now.millisecondsSince1970, message])
        try noteChange(.messageCancelled, of: message)
    }

    /// The query for the number of the message that expired first and must be removed from devices.
    var nextEnded: SQLStatement {
        SQLStatement(
            sql: "SELECT number FROM messages WHERE expires <= ? ORDER BY expires, number LIMIT 1",
            arguments: [now.millisecondsSince1970])
    }

    /// Returns the earliest time at which a message expires and must be removed from devices; `nil` if there is no such message.
    func nextEnd() throws -> Timestamp? { try row(Self.nextEnd)?.timestamp("expires") }

    /// The query of ``nextEnd()``.
    static let nextEnd = SQLStatement(sql: "SELECT min(expires) AS expires FROM messages WHERE expires IS NOT NULL")

    /// Records that the removal of an expired message from its devices has begun.
    func noteEnded(_ message: Int64) throws {
        try execute("UPDATE messages SET expires = NULL WHERE number = ?", [message])
    }

    /// Deletes the content of a message that only an erased user got, and marks the message as recalled.
    func empty(_ message: Int64) throws {
        // Deletes the fingerprints too, because they could confirm a guess at the content or the recipient.
        try execute(
            """
            UPDATE messages SET payload = ?, texts = NULL, notice = NULL, fingerprint = ?, audience = ?,
                recalled = coalesce(recalled, ?) WHERE number = ?
            """, [try Payload(aps: Aps()).encoded(), Data(), Data(), now.millisecondsSince1970, message])
        try execute("DELETE FROM idempotency WHERE message = ?", [message])
        try noteChange(.messageRecalled, of: message)
    }

    func delete(_ message: Int64) throws {
        try MessageChangesTable(session).delete(of: message)
        try execute("DELETE FROM messages WHERE number = ?", [message])
    }

    // MARK: Changes

    private func noteChange(_ change: FeedEventType, of message: Int64) throws {
        try noteChange(change, of: message, known(message))
    }

    private func known(_ message: Int64) throws -> MessageReference {
        guard let reference = try reference(toMessage: message) else { throw Self.noMessage }
        return reference
    }

    /// Adds a message to the changes that are published after the commit, and stores the change for other processes.
    private func noteChange(_ change: FeedEventType, of number: Int64, _ message: MessageReference) throws {
        session.emit(message, change)
        try MessageChangesTable(session).add(number)
    }

    /// Returns the messages whose changes were stored after the change with the number `change`, each once.
    func changed(after change: Int64) throws -> [MessageReference] {
        try rows(
            """
            SELECT app, id FROM messages WHERE number IN (SELECT message FROM message_changes WHERE number > ?)
            ORDER BY number
            """, [change]
        ).map { try $0.message() }
    }

    /// Returns at most `limit` of the newest messages that were accepted after the message with this number, oldest first.
    func accepted(after number: Int64, limit: Int) throws -> [MessageReference] {
        try rows(
            "SELECT app, id FROM messages WHERE number > ? ORDER BY number DESC LIMIT ?", [number, limit]
        ).reversed().map { try $0.message() }
    }

    func reference(toMessage number: Int64) throws -> MessageReference? {
        try row(Self.reference(toMessage: number)).map { try $0.message() }
    }

    /// Returns the query of ``reference(toMessage:)``.
    static func reference(toMessage number: Int64) -> SQLStatement {
        SQLStatement(sql: "SELECT app, id FROM messages WHERE number = ?", arguments: [number])
    }

    // MARK: Earlier requests

    /// Returns the query of ``repetition(of:)``, so that it can be sent ahead; `nil` for a request without an idempotency key.
    static func repetition(of message: NewMessage) -> SQLStatement? {
        message.idempotencyKey.map { key in
            SQLStatement(
                sql: "SELECT idempotency.*, messages.app, messages.ranged, messages.nobody \(Self.earlierRequest)",
                arguments: [key.owner, key.key])
        }
    }

    private static let earlierRequest = """
        FROM idempotency JOIN messages ON messages.number = idempotency.message
        WHERE idempotency.owner = ? AND idempotency.key = ?
        """

    /// Returns the answer to a request whose idempotency key was used before; `nil` if the key is new or the request has none.
    func repetition(of message: NewMessage) throws -> Acceptance? {
        guard let query = Self.repetition(of: message), let row = try row(query) else { return nil }
        // Compares the app too, because the request may name it in its query instead of the body.
        guard try row["fingerprint"] == message.fingerprint, try row["app"] == message.app.number.rawValue else {
            return .refused(.idempotencyKeyReused)
        }
        let devices: Int? = try row["ranged"] ? nil : row["devices"]
        return .repeated(
            SendAnswer(
                id: try id(ofMessage: row["message"]), state: message.state(at: now), devices: devices,
                reason: devices == 0 ? try row.nobody() : nil))
    }

    func remember(_ message: NewMessage, _ number: Int64, devices: Int) throws {
        guard let key = message.idempotencyKey else { return }
        try execute(
            "INSERT INTO idempotency (owner, key, fingerprint, message, devices, at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                key.owner, key.key, message.fingerprint, number, devices, now.millisecondsSince1970,
            ])
    }

    /// Returns the stored answer to a call that is about no message; `nil` if its key is new.
    ///
    /// - Throws: ``ReusedKey`` if the key came before with another body, and the errors of the database.
    func answer(to key: IdempotencyKey, _ fingerprint: Data) throws -> Data? {
        let row = try row(
            "SELECT fingerprint, answer FROM idempotency WHERE owner = ? AND key = ?", [Self.owner(key), key.key])
        guard let row else { return nil }
        guard try row["fingerprint"] == fingerprint, let answer = row.text("answer") else { throw ReusedKey() }
        return Data(answer.utf8)
    }

    /// Stores the answer to a call that is about no message.
    func remember(_ answer: String, to key: IdempotencyKey, _ fingerprint: Data) throws {
        try execute(
            """
            INSERT INTO idempotency (owner, key, fingerprint, message, devices, at, answer) VALUES (?, ?, ?, 0, 0, ?, ?)
            """, [Self.owner(key), key.key, fingerprint, now.millisecondsSince1970, answer])
    }

    /// The owner of keys of calls that are about no message, which is no API key's id.
    private static func owner(_ key: IdempotencyKey) -> String { "\(key.owner)/other" }

    /// Deletes the idempotency keys of an app's messages among the next `limit` keys after the number `number`.
    ///
    /// - Returns: the number of the last of these keys; `nil` if no further key follows.
    func deleteRequests(of app: AppNumber, after number: Int64, limit: Int) throws -> Int64? {
        let keys = try rows(
            """
            SELECT idempotency.number, messages.app FROM idempotency
                JOIN messages ON messages.number = idempotency.message
            WHERE idempotency.number > ? ORDER BY idempotency.number LIMIT ?
            """, [number, limit])
        let own = try keys.filter { try $0["app"] == app.rawValue }.map { try $0["number"] as Int64 }
        if !own.isEmpty {
            try execute(
                "DELETE FROM idempotency WHERE \(dialect.isAmongIntegers("number"))", [Self.integers(own)])
        }
        return keys.count < limit ? nil : try keys.last.map { try $0["number"] }
    }

    func purgeRequests(limit: Int) throws -> Int {
        try changes(
            """
            DELETE FROM idempotency WHERE number IN (SELECT number FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)
            """, [now.millisecondsSince1970, limit])
    }
}

/// The error that an idempotency key came before with another body.
struct ReusedKey: Error {}

extension SQLRow {
    /// Decodes the reason why a message is for no device from the column `nobody`; returns `nil` if there is none.
    func nobody() throws -> NobodyReason? { text("nobody") == nil ? nil : try choice("nobody") }

    /// Decodes the rules of a message in local time from the column `local`; returns `nil` for any other message.
    func localSchedule() throws -> LocalSchedule? {
        guard let text = text("local") else { return nil }
        guard let schedule = try? CarillonJSON.decode(LocalSchedule.self, from: Data(text.utf8)) else {
            throw unreadable("local")
        }
        return schedule
    }

    /// Decodes the reference to a message from the columns `app` and `id`.
    func message() throws -> MessageReference {
        MessageReference(try messageID("id"), of: AppNumber(rawValue: try self["app"]))
    }
}
