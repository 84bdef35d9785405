import CarillonCore

/// The store's calls by which processes learn of each other's changes.
package struct NewsCalls: Sendable {
    let transactions: Transactions

    /// Returns the changes that any process has committed since `mark`.
    ///
    /// If `mark` is `nil`, the result has only the mark to begin with. The event and message numbers of the returned mark do
    /// not depend on the selection. `limit` applies to events.
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
