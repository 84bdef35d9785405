import CarillonCore
import Foundation

/// The content of a message for one recipient: the columns `payload` and `texts`, and the table `message_variables`.
extension MessagesTable {
    /// Makes the payload that a recipient gets.
    ///
    /// - Parameters:
    ///   - row: the message's, with `payload` and `texts`.
    ///   - message: its number.
    ///   - locale: the device's.
    ///   - user: whose values are meant; `nil` for none.
    /// - Returns: the payload.
    /// - Throws: what cannot be read.
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

    /// In which of a message's languages a device gets it; `nil` for the sender's own.
    func language(of row: SQLRow, _ message: Int64, in locale: String?) throws -> String? {
        let content = try session.cache.decoded[message] ?? MessageContent(row.payload("payload"), row.texts())
        session.cache.decoded[message] = content
        return content.texts.language(for: locale)
    }

    /// The row with a message's content, read once for all recipients.
    ///
    /// - Throws: ``ServiceError`` when there is no such message.
    func contentRow(of message: Int64) throws -> SQLRow {
        try readContents(of: [message])
        guard let row = session.cache.contents[message] else {
            throw ServiceError(.storage, "a delivery is of a message that the database does not have")
        }
        return row
    }

    /// Reads the content of messages that were not read yet.
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

    /// Forgets the values of an earlier revision.
    func dropVariables(of message: Int64) throws {
        try execute("DELETE FROM message_variables WHERE message = ?", [message])
    }

    /// Keeps the recipients' values, in the place of an earlier revision's.
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

    /// - Returns: how many messages' values of the user were deleted.
    func forgetVariables(of user: UserReference) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        return try changes(
            """
            DELETE FROM message_variables WHERE app = ? AND user = ? AND message IN
                (SELECT message FROM message_variables WHERE app = ? AND user = ? LIMIT ?)
            """, name + name + [ServiceLimits.rowsPerStep])
    }

    /// Deletes the next values of a message's.
    func purgeVariables(of message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "message_variables", by: "user", limit: limit)
    }
}

extension SQLRow {
    /// The texts of a message, from its column `texts`.
    func texts() throws -> MessageTexts {
        guard let data: Data = self["texts"] else { return MessageTexts() }
        return try CarillonJSON.decode(MessageTexts.self, from: data)
    }
}
