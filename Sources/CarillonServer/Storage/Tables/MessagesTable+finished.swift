import CarillonCore

/// Finds the messages that have nothing left to send, for the event ``FeedEventType/messageFinished``.
///
/// The column `messages.finished` has the newest revision that was told, so that each revision is told once.
extension MessagesTable {
    /// Returns the statement that marks those messages as finished that have nothing left to send; `nil` for no messages.
    ///
    /// A message that was recalled or cancelled is not finished: an event of its own has told its end. Nor is one with a push
    /// that is set aside, because an operator must act. All changed chunks must be written already (``ChunksTable/keep()``).
    ///
    /// - Parameters:
    ///   - messages: the numbers of the messages.
    ///   - readers: the apps whose feeds are open.
    /// - Returns: the statement, whose rows are the finished messages.
    func finishing(_ messages: Set<Int64>, in readers: Set<AppNumber>) -> SQLStatement? {
        guard !messages.isEmpty, !readers.isEmpty else { return nil }
        return SQLStatement(
            sql: """
                UPDATE messages SET finished = revision
                WHERE \(dialect.isAmongIntegers("number")) AND \(dialect.isAmongIntegers("app"))
                    AND (finished IS NULL OR finished < revision) AND recalled IS NULL AND cancelled IS NULL
                    AND NOT EXISTS (SELECT 1 FROM work WHERE work.message = messages.number AND kind = 'accept'
                        AND (messages.until IS NULL OR messages.until > ?))
                    AND NOT EXISTS (SELECT 1 FROM ranges WHERE ranges.message = messages.number
                        AND (open = 1 OR problem IS NOT NULL))
                    AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.message = messages.number
                        AND (open = 1 OR sender IS NOT NULL OR follow IS NOT NULL OR problem IS NOT NULL))
                    AND (SELECT 1 FROM deliveries WHERE deliveries.message = messages.number
                        AND purpose IN ('show', 'fallback') AND state IN ('queued', 'set-aside') LIMIT 1) IS NULL
                RETURNING app, id, revision
                """,
            arguments: [
                Self.integers(messages.sorted()), Self.integers(readers.map(\.rawValue).sorted()),
                now.millisecondsSince1970,
            ])
    }

    /// Returns an event for each message that a statement of ``finishing(_:in:)`` marks.
    func finished(_ finishing: SQLStatement?) throws -> [(app: AppNumber, note: FeedNote)] {
        try finishing.map { try rows($0) }?.map { row in
            let message = try row.message()
            return (message.app, .finished(message, revision: try row["revision"]))
        } ?? []
    }
}
