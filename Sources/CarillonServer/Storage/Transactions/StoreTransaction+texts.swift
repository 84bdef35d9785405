import CarillonCore
import Foundation

/// What a message says to one recipient: the column `texts`, and the table `message_variables`.
extension StoreTransaction {
    /// What a recipient gets of a message.
    ///
    /// - Parameters:
    ///   - row: the message's, with `payload` and `texts`.
    ///   - message: its number.
    ///   - locale: the device's.
    ///   - user: whose values are meant; `nil` for none.
    /// - Returns: the payload.
    /// - Throws: what cannot be read.
    mutating func payload(
        of row: SQLRow, _ message: Int64, in locale: String?, for user: UserReference?
    ) throws -> Payload {
        var content = try contents[message] ?? MessageContent(row.payload("payload"), row.texts())
        let language = content.texts.language(for: locale)
        let values = content.texts.haveVariables ? try variables(of: message, for: user) : nil
        let payload = content.payload(in: language, values: values)
        contents[message] = content
        return payload
    }

    /// In which of a message's languages a device gets it; `nil` for the sender's own.
    mutating func language(of row: SQLRow, _ message: Int64, in locale: String?) throws -> String? {
        let content = try contents[message] ?? MessageContent(row.payload("payload"), row.texts())
        contents[message] = content
        return content.texts.language(for: locale)
    }

    /// What a message says, as it is kept: read once for all who get it.
    ///
    /// - Throws: ``ServiceError`` when there is no such message.
    func contentRow(of message: Int64) throws -> SQLRow {
        try readContents(of: [message])
        guard let row = cache.contents[message] else {
            throw ServiceError(.storage, "a delivery is of a message that the database does not have")
        }
        return row
    }

    /// Reads what messages say that nobody has asked about.
    func readContents(of messages: Set<Int64>) throws {
        let missing = messages.filter { cache.contents[$0] == nil }
        guard !missing.isEmpty else { return }
        let rows = try rows(
            """
            SELECT number, payload, texts, badge_is_unread, notice, keeps_replies FROM messages
            WHERE \(dialect.isAmongIntegers("number"))
            """, [Self.integers(missing.sorted())])
        for row in rows { cache.contents[row["number"]] = row }
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
}

extension SQLRow {
    /// The texts of a message, from its column `texts`.
    func texts() throws -> MessageTexts {
        guard let data: Data = self["texts"] else { return MessageTexts() }
        return try CarillonJSON.decode(MessageTexts.self, from: data)
    }
}
