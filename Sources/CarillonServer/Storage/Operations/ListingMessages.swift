import CarillonCore

/// Lists an app's messages with their reports, page by page, the newest first.
///
/// A replaced message keeps its place: the order is that in which the service first accepted the messages. So a page stays right
/// while messages come.
struct ListingMessages: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let reporting: Reporting

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        reporting = Reporting(session)
    }

    /// Returns a page of an app's messages.
    ///
    /// A message's state is known only from its report, so a page that asks for states examines at most
    /// ``StoreLimits/listedReports`` messages; it may then be short although there are more.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - filter: the messages that the list has.
    ///   - mark: the message after which the page begins, as the previous page gave it; `nil` for the first page.
    ///   - limit: the greatest number of messages.
    /// - Returns: the page; `nil` if there is no message `mark`.
    /// - Throws: the errors of the database.
    func page(of app: AppNumber, _ filter: MessageFilter, after mark: MessageID?, limit: Int) throws -> MessageList? {
        var last = Int64.max
        if let mark {
            guard let number = try messages.number(of: MessageReference(mark, of: app)) else { return nil }
            last = number
        }
        var list = MessageList(notifications: [])
        var examined = 0
        while true {
            let found = try candidates(of: app, filter, before: last, limit: limit + 1)
            for (index, row) in found.enumerated() {
                let message = MessageReference(try row.messageID("id"), of: app)
                (last, examined) = (try row["number"], examined + 1)
                if let entry = try entry(message, last, filter) { list.notifications.append(entry) }
                let hasMore = index + 1 < found.count || found.count > limit
                guard list.notifications.count < limit, examined < StoreLimits.listedReports else {
                    list.next = hasMore ? message.id.rawValue : nil
                    return list
                }
            }
            if found.count <= limit { return list }
        }
    }

    private func entry(
        _ message: MessageReference, _ number: Int64, _ filter: MessageFilter
    ) throws -> MessageList.Entry? {
        guard let report = try reporting.report(message),
            filter.states.isEmpty || filter.states.contains(report.state)
        else { return nil }
        let alert = try messages.message(number, in: nil, for: nil).payload.aps.alert
        return MessageList.Entry(report: report, title: alert?.title ?? alert?.body)
    }

    private func candidates(
        of app: AppNumber, _ filter: MessageFilter, before number: Int64, limit: Int
    ) throws -> [SQLRow] {
        var (condition, arguments): (String, SQLArguments) = ("app = ? AND number < ?", [app.rawValue, number])
        func add(_ text: String, _ argument: any SQLValueConvertible) {
            condition += " AND \(text)"
            arguments += [argument]
        }
        if let since = filter.since { add("accepted >= ?", since.millisecondsSince1970) }
        if let before = filter.before { add("accepted < ?", before.millisecondsSince1970) }
        if let part = filter.idPart { add("\(dialect.position)(id, ?) > 0", part) }
        switch filter.audience {
        case .named: condition += " AND everyone = 0"
        case .everyone: add("everyone = 1 AND audience = ?", Audience.everyone.fingerprint)
        case .condition: add("everyone = 1 AND audience <> ?", Audience.everyone.fingerprint)
        case nil: break
        }
        if let user = filter.user {
            add("number IN (SELECT message FROM deliveries WHERE user = ? AND message IS NOT NULL)", user)
        }
        return try rows(
            "SELECT number, id FROM messages WHERE \(condition) ORDER BY number DESC LIMIT ?", arguments + [limit])
    }
}
