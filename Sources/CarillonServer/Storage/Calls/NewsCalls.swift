import CarillonCore

/// The store's calls that tell a process what other processes have changed.
package struct NewsCalls: Sendable {
    let transactions: Transactions

    /// Returns the changes that any process has committed since the position `mark` in the sequence of changes.
    ///
    /// - Parameters:
    ///   - mark: the position up to which the caller knows all changes; `nil` to get only the present position.
    ///   - selection: the kinds of changes to return. Changes of other kinds are skipped: a later call that begins at the new
    ///     position does not return them either.
    ///   - limit: the greatest number of timeline events to return. If there are more, the function returns the newest.
    ///     Changed messages do not count.
    /// - Returns: the changes, and the new position to pass to the next call.
    /// - Throws: the errors of the database.
    package func news(
        since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int
    ) async throws -> StoreNews {
        try await transactions.read { try News($0).news(since: mark, selection, limit: limit) }
    }

    /// Returns whether another process has written to the database since the last call of this function.
    ///
    /// The result is `nil` if the engine cannot tell. In this case, only ``news(since:_:limit:)`` finds the changes.
    package func wasWrittenElsewhere() async throws -> Bool? { try await transactions.engine.wasWrittenElsewhere() }

    /// Queues an announcement to other processes and returns at once.
    ///
    /// The engine sends the announcement soon, together with other queued announcements.
    package func announce(_ announcement: StoreAnnouncement) { transactions.engine.announce(announcement) }

    /// Returns a stream of the announcements that other processes make from now on.
    ///
    /// The stream ends at once if the engine cannot carry announcements.
    package func announcements() -> AsyncStream<StoreAnnouncement> { transactions.engine.announcements() }
}
