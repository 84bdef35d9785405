import CarillonCore

/// The store's calls by which processes learn of each other's changes.
package struct NewsCalls: Sendable {
    let transactions: Transactions

    /// Returns the changes that any process has committed since `mark`; without a mark, only the mark to begin with.
    ///
    /// The mark moves on whatever is selected. `limit` applies to events.
    package func news(
        since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int
    ) async throws -> StoreNews {
        try await transactions.read { try News($0).news(since: mark, selection, limit: limit) }
    }

    /// Returns whether another process has written since the last call; `nil` if only ``news(since:_:limit:)`` can tell.
    package func wasWrittenElsewhere() async throws -> Bool? { try await transactions.engine.wasWrittenElsewhere() }

    /// Sends an announcement to other processes soon, together with other pending ones, and returns at once.
    package func announce(_ announcement: StoreAnnouncement) { transactions.engine.announce(announcement) }

    /// Returns the announcements of other processes from now on; the stream ends at once if the engine has none.
    package func announcements() -> AsyncStream<StoreAnnouncement> { transactions.engine.announcements() }
}
