import CarillonCore

/// The store's calls about the feeds of apps.
package struct FeedCalls: Sendable {
    let transactions: Transactions

    /// Returns the next events of an app's feed, and keeps the feed open.
    ///
    /// Reading a feed keeps it open for ``StoreLimits/feedKept``. A feed that nobody kept open begins with this call.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - start: the position after which the events begin; `nil` for the end of the feed, without events.
    ///   - selection: the events to return.
    ///   - limit: the greatest number of events.
    ///   - now: the time of the call.
    /// - Returns: the events, or the reason why they cannot be told.
    /// - Throws: ``ServiceError`` if the app was removed, and the errors of the database.
    package func read(
        _ app: AppNumber, after start: FeedPosition?, _ selection: FeedSelection, limit: Int, at now: Timestamp
    ) async throws -> FeedReading {
        let ask: @Sendable (Timestamp, StoreSession) throws -> FeedReading? = { openUntil, session in
            let table = FeedTable(session)
            guard let feed = try table.feed(of: app), feed.until >= openUntil else { return nil }
            let end = try table.end(of: app, feed)
            guard let start else { return .page(FeedPage(next: end)) }
            guard start.number >= feed.first else { return .gone(since: feed.since) }
            guard start.number <= end.number else { return .foreign }
            return .page(try table.page(of: app, after: start, selection, limit: limit))
        }
        let half = now + StoreLimits.feedKept / 2
        if let reading = try await transactions.read(at: now, { try ask(half, $0) }) { return reading }
        try await transactions.write(at: now) { try FeedTable($0).keepOpen(app, until: now + StoreLimits.feedKept) }
        guard let reading = try await transactions.read(at: now, { try ask(now, $0) }) else {
            throw ServiceError.appIsRemoved
        }
        return reading
    }
}
