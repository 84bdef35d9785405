import CarillonCore

/// Finds the changes that any process has committed to the database since a given position (``StoreNews/Mark``).
struct News: SessionPart {
    let session: StoreSession
    private let events: EventsTable
    private let messages: MessagesTable

    init(_ session: StoreSession) {
        self.session = session
        events = EventsTable(session)
        messages = MessagesTable(session)
    }

    /// Returns the changes since the position `mark`; if `mark` is `nil`, only the present position.
    ///
    /// Only one transaction writes at a time, so rows are numbered in the order of their commits. All rows whose numbers are
    /// greater than the numbers in `mark` are new.
    func news(
        since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int
    ) throws -> StoreNews {
        let newest = StoreNews.Mark(
            event: Int64(try integer("SELECT coalesce(max(number), 0) FROM events")),
            message: Int64(try integer("SELECT coalesce(max(number), 0) FROM messages")),
            change: Int64(try integer("SELECT coalesce(max(number), 0) FROM message_changes")),
            feed: Int64(try integer("SELECT coalesce(max(number), 0) FROM feed")),
            progress: selection.contains(.messages) ? try progressOfNewestMessages() : nil)
        var news = StoreNews(mark: newest)
        guard let mark else { return news }
        news.isFed = newest.feed > mark.feed
        if selection.contains(.events), newest.event > mark.event {
            news.events = try events.events(after: mark.event, limit: limit)
        }
        if selection.contains(.messages) { news.messages = try changed(from: mark, to: newest) }
        return news
    }

    /// Returns, for those of the newest messages whose deliveries are kept as bitmaps with a bit for each device
    /// (``RangeRules``), the state of their chunks (``RangeChunk``), by message number.
    ///
    /// Any progress of a chunk changes at least one value of this state.
    private func progressOfNewestMessages() throws -> [Int64: [SQLValue]] {
        let messages = try rows(
            """
            SELECT number FROM (SELECT number, ranged FROM messages ORDER BY number DESC LIMIT ?) AS newest WHERE ranged = 1
            """, [StoreLimits.watchedMessages])
        return try messages.reduce(into: [:]) { states, row in
            states[try row["number"]] = try stateOfChunks(row["number"])
        }
    }

    private func stateOfChunks(_ message: Int64) throws -> [SQLValue] {
        try row(
            """
            SELECT count(*) AS chunks, CAST(sum(position + epoch + open + removing) AS BIGINT) AS steps,
                CAST(sum(coalesce(handed_at, 0) + coalesce(accepted_at, 0) + coalesce(reported_at, 0)
                    + coalesce(withdrawn_at, 0) + coalesce(ended_at, 0) + coalesce(replaced_at, 0)) AS BIGINT) AS moments
            FROM chunks WHERE message = ?
            """, [message])?.values ?? []
    }

    /// Returns the messages that were changed, or were sent on, between two positions; then those that were accepted.
    private func changed(from mark: StoreNews.Mark, to newest: StoreNews.Mark) throws -> [MessageReference] {
        var found = try newest.change > mark.change ? messages.changed(after: mark.change) : []
        // A caller that has just begun to watch does not know the progress. An older message may become one of the newest because
        // others were deleted, and has made no progress.
        let moved = (newest.progress ?? [:]).filter { number, state in
            number <= mark.message && mark.progress?[number].map { $0 != state } ?? false
        }
        for number in moved.keys.sorted() {
            guard let message = try messages.reference(toMessage: number), !found.contains(message) else { continue }
            found.append(message)
        }
        guard newest.message > mark.message else { return found }
        let new = try messages.accepted(after: mark.message, limit: StoreLimits.watchedMessages)
        return found.filter { !new.contains($0) } + new
    }
}
