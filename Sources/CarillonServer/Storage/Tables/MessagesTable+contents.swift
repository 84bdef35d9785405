import CarillonCore
import Foundation

/// Reads a message's content for one recipient, and reads and writes the recipients' values of the message's variables.
extension MessagesTable {
    /// Returns a message with its content for one recipient.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - locale: the device's locale.
    ///   - user: the user whose variables are filled in; `nil` for none.
    /// - Returns: the message in the device's language.
    /// - Throws: ``ServiceError`` if there is no such message; another error if its content cannot be decoded.
    func message(_ message: Int64, in locale: String?, for user: UserReference?) throws -> ClaimedMessage {
        try self.message(message, content(of: message), in: locale, for: user)
    }

    /// Returns a message with its content for one recipient, from a row of `messages`.
    ///
    /// The content is in the language for `locale`, and has the values of the variables for `user`.
    func message(in row: SQLRow, in locale: String?, for user: UserReference?) throws -> ClaimedMessage {
        try message(row["number"], content(row), in: locale, for: user)
    }

    private func message(
        _ number: Int64, _ content: MessageContent, in locale: String?, for user: UserReference?
    ) throws -> ClaimedMessage {
        let values = content.texts.haveVariables ? try variables(of: number, for: user) : nil
        return content.message(in: content.texts.language(for: locale), values: values)
    }

    /// Returns the notice that replaces a recalled message on devices; `nil` if the recall has none.
    ///
    /// The caller must have read the message's content in this session before, because only that reading caches the notice.
    func notice(of message: Int64) throws -> RecallNotice? {
        guard let data = session.cache.notices[message] else { return nil }
        guard let notice = try? CarillonJSON.decode(RecallNotice.self, from: data) else {
            throw ServiceError(
                .storage, "the database holds something unreadable in column notice of the message \(message)")
        }
        return notice
    }

    /// Reads the contents of several messages into the session's cache with one statement; contents in the cache are not read
    /// again.
    ///
    /// If a content cannot be decoded, this call does not fail, but a later call that asks for that message does.
    func readContents(of messages: Set<Int64>) throws {
        guard let query = contents(of: messages) else { return }
        for row in try rows(query) { _ = try? content(row) }
    }

    /// Returns the query of ``readContents(of:)``; `nil` if the session's cache has all contents.
    func contents(of messages: Set<Int64>) -> SQLStatement? {
        let missing = messages.filter { session.cache.contents[$0] == nil }
        return missing.isEmpty ? nil : contentRows(of: missing.sorted())
    }

    private func content(of message: Int64) throws -> MessageContent {
        if let known = session.cache.contents[message] { return known }
        guard let row = try row(contentRows(of: [message])) else {
            throw ServiceError(.storage, "a delivery is of a message that the database does not have")
        }
        return try content(row)
    }

    private func contentRows(of messages: [Int64]) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT number, app, id, revision, fingerprint, notice, payload, texts, mode, until, badge_is_unread,
                    dialect, keeps_replies, now_or_never
                FROM messages WHERE \(dialect.isAmongIntegers("number"))
                """, arguments: [Self.integers(messages)])
    }

    /// Returns the content of a message from the session's cache; if it is not cached, decodes it from the message's row.
    private func content(_ row: SQLRow) throws -> MessageContent {
        let id = try row.messageID("id")
        let name = MessageContents.Name(
            message: MessageReference(id, of: AppNumber(rawValue: try row["app"])), revision: try row["revision"],
            fingerprint: try row["fingerprint"])
        let content = try session.contents.content(name) {
            let original = ClaimedMessage(
                id: id, mode: try row.choice("mode"), until: row.timestamp("until"),
                payload: try row.payload("payload"),
                badgeIsUnreadCount: try row["badge_is_unread"], dialect: try row.choice("dialect"),
                keepsReplies: try row["keeps_replies"], isNowOrNever: try row["now_or_never"])
            return MessageContent(original, try row.texts())
        }
        try session.cache.contents[row["number"]] = content
        try session.cache.notices[row["number"]] = row["notice"] as Data?
        return content
    }

    private func variables(of message: Int64, for user: UserReference?) throws -> [String: String] {
        guard let user else { return [:] }
        let row = try row(
            "SELECT \"values\" FROM message_variables WHERE app = ? AND user = ? AND message = ?",
            [user.app.rawValue, user.id, message])
        return try row?.json("values") ?? [:]
    }

    /// Deletes the values of a message's variables, because a newer revision replaces them.
    func dropVariables(of message: Int64) throws {
        try execute("DELETE FROM message_variables WHERE message = ?", [message])
    }

    /// Stores the recipients' values of a message's variables.
    func writeVariables(of message: NewMessage, _ number: Int64) throws {
        for (user, values) in message.variables {
            try execute(
                "INSERT INTO message_variables (app, user, message, \"values\") VALUES (?, ?, ?, ?)",
                [
                    message.app.number.rawValue, user.text, number,
                    String(decoding: try CarillonJSON.encode(values), as: UTF8.self),
                ])
        }
    }

    /// Stores the recipients' values of a message's variables for a copy of the message too.
    func copyVariables(of message: Int64, to copy: Int64) throws {
        try execute(
            """
            INSERT INTO message_variables (app, user, message, "values")
            SELECT app, user, CAST(? AS BIGINT), "values" FROM message_variables WHERE message = ?
            """, [copy, message])
    }

    /// Deletes a user's values for the variables, such as `{{name}}`, in the texts of at most ``StoreLimits/rowsPerStep``
    /// messages.
    ///
    /// - Returns: the number of messages whose values for this user were deleted.
    func forgetVariables(of user: UserReference) throws -> Int {
        let name: SQLArguments = [user.app.rawValue, user.id]
        return try changes(
            """
            DELETE FROM message_variables WHERE app = ? AND user = ? AND message IN
                (SELECT message FROM message_variables WHERE app = ? AND user = ? LIMIT ?)
            """, name + name + [StoreLimits.rowsPerStep])
    }

    /// Deletes the values of a message's variables for at most `limit` users, and returns the number of these users.
    func purgeVariables(of message: Int64, limit: Int) throws -> Int {
        try deleteRows(of: message, in: "message_variables", by: "user", limit: limit)
    }
}

extension SQLRow {
    /// Decodes the texts of a message from its column `texts`.
    func texts() throws -> MessageTexts {
        try json("texts") ?? MessageTexts()
    }
}
