import CarillonCore

/// Collects what names a user, page by page: the messages whose rows ``Erasing`` would empty or delete.
struct CollectingUserData: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let events: EventsTable

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        events = EventsTable(session)
    }

    /// Returns a page of what the store keeps of a user.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - locale: the locale whose texts the page has; `nil` for those of the payload itself.
    ///   - mark: the message after which the page begins, as the previous page gave it; `nil` for the first page.
    ///   - limit: the greatest number of messages.
    /// - Returns: the page; `nil` if there is no message `mark`.
    /// - Throws: the errors of the database.
    func page(of user: UserReference, in locale: String?, after mark: MessageID?, limit: Int) throws -> UserData? {
        var last: Int64 = 0
        if let mark {
            guard let number = try messages.number(of: MessageReference(mark, of: user.app)) else { return nil }
            last = number
        }
        let name: SQLArguments = [user.app.rawValue, user.id]
        let found = try rows(
            """
            SELECT * FROM messages WHERE app = ? AND number > ? AND number IN (
                SELECT message FROM inbox WHERE app = ? AND user = ?
                UNION SELECT message FROM message_variables WHERE app = ? AND user = ?
                UNION SELECT message FROM deliveries WHERE user = ? AND message IS NOT NULL)
            ORDER BY number LIMIT ?
            """, [user.app.rawValue, last] + name + name + [user.id, limit + 1])
        let page = try found.prefix(limit).map { try message(in: $0, of: user, locale) }
        return UserData(user: user.id, messages: page, next: found.count > limit ? page.last?.id.rawValue : nil)
    }

    private func message(in row: SQLRow, of user: UserReference, _ locale: String?) throws -> UserData.Message {
        let number: Int64 = try row["number"]
        let id = try row.messageID("id")
        let entry = try self.row(
            "SELECT read FROM inbox WHERE app = ? AND user = ? AND message = ?",
            [user.app.rawValue, user.id, number])
        let devices = try rows(
            "SELECT DISTINCT device FROM deliveries WHERE message = ? AND user = ? ORDER BY device", [number, user.id])
        return UserData.Message(
            id: id, acceptedAt: try row.requiredTimestamp("accepted"), revision: try row["revision"],
            until: row.timestamp("until"), payload: try messages.message(in: row, in: locale, for: user).payload,
            isInInbox: entry != nil, readAt: entry?.timestamp("read"),
            devices: try devices.map { row in
                let device: String = try row["device"]
                return UserData.Device(
                    device: device, events: try events.events(of: number, id, on: device).inCausalOrder())
            })
    }
}
