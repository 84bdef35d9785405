import CarillonCore

/// Finds the changes that any process has committed to the database since a given position (``StoreNews/Mark``).
struct News: SessionPart {
    let session: StoreSession
    private let events: EventsTable

    init(_ session: StoreSession) {
        self.session = session
        events = EventsTable(session)
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
            states: selection.contains(.messages) ? try statesOfNewestMessages() : nil)
        var news = StoreNews(mark: newest)
        guard let mark else { return news }
        if selection.contains(.events), newest.event > mark.event {
            news.events = try events.events(after: mark.event, limit: limit)
        }
        if let states = newest.states { news.messages = try changed(states, since: mark) }
        return news
    }

    /// Returns the state of each of the newest messages, by number.
    ///
    /// Any change of a message changes at least one value of its state. The state of a message whose deliveries are kept as
    /// bitmaps with a bit for each device (``RangeRules``) includes the state of its chunks (``RangeChunk``).
    private func statesOfNewestMessages() throws -> [Int64: [SQLValue]] {
        let messages = try rows(
            """
            SELECT number, revision, recalled, paused, cancelled, send_at, ranged FROM messages
            ORDER BY number DESC LIMIT ?
            """, [StoreLimits.watchedMessages])
        return try messages.reduce(into: [:]) { states, row in
            let number: Int64 = try row["number"]
            states[number] = try row.values + (row["ranged"] ? try stateOfChunks(number) : [])
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

    private func changed(_ states: [Int64: [SQLValue]], since mark: StoreNews.Mark) throws -> [MessageReference] {
        let numbers = states.keys.filter { number in
            // A caller that has just begun to watch has no states, so only newer messages count as changed.
            guard let before = mark.states else { return number > mark.message }
            // An older message may become one of the newest because others were deleted. It has not changed.
            guard let state = before[number] else { return number > mark.message }
            return state != states[number]
        }
        return try numbers.sorted().compactMap { number in
            try row("SELECT app, id FROM messages WHERE number = ?", [number]).map { row in
                MessageReference(try row.messageID("id"), of: AppNumber(rawValue: try row["app"]))
            }
        }
    }
}
