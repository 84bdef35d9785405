import CarillonCore
import Foundation

/// The content of a message for one recipient: the columns `payload` and `texts`, and the table `message_variables`.
extension MessagesTable {
    /// Returns the payload for a recipient.
    ///
    /// - Parameters:
    ///   - row: the message's row, with `payload` and `texts`.
    ///   - message: the message's number.
    ///   - locale: the device's locale.
    ///   - user: the user whose values are inserted; `nil` for none.
    /// - Returns: the payload.
    /// - Throws: an error if the content cannot be read.
    func payload(
        of row: SQLRow, _ message: Int64, in locale: String?, for user: UserReference?
    ) throws -> Payload {
        var content = try session.cache.decoded[message] ?? MessageContent(row.payload("payload"), row.texts())
        let language = content.texts.language(for: locale)
        let values = content.texts.haveVariables ? try variables(of: message, for: user) : nil
        let payload = content.payload(in: language, values: values)
        session.cache.decoded[message] = content
        return payload
    }

    /// Returns the message's language that a device gets; `nil` for the sender's own texts.
    func language(of row: SQLRow, _ message: Int64, in locale: String?) throws -> String? {
        let content = try session.cache.decoded[message] ?? MessageContent(row.payload("payload"), row.texts())
        session.cache.decoded[message] = content
        return content.texts.language(for: locale)
    }

    /// Returns the row with a message's content, read once for all recipients.
    ///
    /// - Throws: ``ServiceError`` when there is no such message.
    func contentRow(of message: Int64) throws -> SQLRow {
        try readContents(of: [message])
        guard let row = session.cache.contents[message] else {
            throw ServiceError(.storage, "a delivery is of a message that the database does not have")
        }
        return row
    }

    /// Reads the content of those messages that were not read yet.
    func readContents(of messages: Set<Int64>) throws {
        let missing = messages.filter { session.cache.contents[$0] == nil }
        guard !missing.isEmpty else { return }
        let rows = try rows(
            """
            SELECT number, payload, texts, badge_is_unread, notice, keeps_replies FROM messages
            WHERE \(dialect.isAmongIntegers("number"))
            """, [Self.integers(missing.sorted())])
        for row in rows { session.cache.contents[row["number"]] = row }
    }

    private func variables(of message: Int64, for user: UserReference?) throws -> [String: String] {
        guard let user else { return [:] }
        let row = try row(
            "SELECT \"values\" FROM message_variables WHERE app = ? AND user = ? AND message = ?",
            [user.app.rawValue, user.id, message])
        return try row?.text("values").map { try CarillonJSON.decode([String: String].self, from: Data($0.utf8)) }
            ?? [:]
    }

    /// Deletes the values of an earlier revision.
    func dropVariables(of message: Int64) throws {
        try execute("DELETE FROM message_variables WHERE message = ?", [message])
    }

    /// Stores the recipients' values of a new revision.
    func writeVariables(of message: NewMessage, _ number: Int64) throws {
        for (user, values) in message.variables {
            try execute(
                "INSERT INTO message_variables (app, user, message, \"values\") VALUES (?, ?, ?, ?)",
                [
                    message.app.number.rawValue, user, number,
                    String(decoding: try CarillonJSON.encode(values), as: UTF8.self),
                ])
        }
    }

    /// Deletes the next values of a user.
    ///
    /// - Returns: the number of messages whose values were deleted.
    func forgetVariables(of user: UserReference) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        return try changes(
            """
            DELETE FROM message_variables WHERE app = ? AND user = ? AND message IN
                (SELECT message FROM message_variables WHERE app = ? AND user = ? LIMIT ?)
            """, name + name + [StoreLimits.rowsPerStep])
    }

    /// Deletes the next values of a message and returns their number.
    func purgeVariables(of message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "message_variables", by: "user", limit: limit)
    }
}

extension SQLRow {
    /// Decodes the texts of a message from its column `texts`.
    func texts() throws -> MessageTexts {
        guard let data: Data = self["texts"] else { return MessageTexts() }
        return try CarillonJSON.decode(MessageTexts.self, from: data)
    }
}
