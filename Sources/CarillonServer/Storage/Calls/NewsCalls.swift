import CarillonCore

/// The store's calls that tell a process what other processes have changed.
package struct NewsCalls: Sendable {
    let transactions: Transactions

    /// Returns the changes that any process has committed since `mark`.
    ///
    /// - Parameters:
    ///   - mark: the position up to which the caller knows all changes; `nil` to get only the present position.
    ///   - selection: the kinds of changes to return. The selection does not affect the event and message numbers in the new
    ///     position.
    ///   - limit: the greatest number of events.
    /// - Returns: the changes and the new position.
    /// - Throws: the errors of the database.
    package func news(
        since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int
    ) async throws -> StoreNews {
        try await transactions.read { try News($0).news(since: mark, selection, limit: limit) }
    }

    /// Returns whether another process has written since the last call.
    ///
    /// The result is `nil` if the engine cannot tell this without ``news(since:_:limit:)``.
    package func wasWrittenElsewhere() async throws -> Bool? { try await transactions.engine.wasWrittenElsewhere() }

    /// Queues an announcement to other processes and returns at once.
    ///
    /// The engine sends the announcement soon, together with others.
    package func announce(_ announcement: StoreAnnouncement) { transactions.engine.announce(announcement) }

    /// Returns the announcements of other processes from now on.
    ///
    /// The stream ends at once if the engine has no announcements.
    package func announcements() -> AsyncStream<StoreAnnouncement> { transactions.engine.announcements() }
}
