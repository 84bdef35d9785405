import CarillonCore

/// The upkeep of the database by a running service.
package protocol UpkeepCalls: Sendable {
    /// Deletes at most `limit` messages with all their rows, and as many old idempotency keys.
    ///
    /// The messages were accepted before `moment` and have nothing left to send.
    ///
    /// - Returns: the number of messages deleted.
    func purge(before moment: Timestamp, limit: Int) async throws -> Int
    /// Erases the users whose erasure was interrupted.
    func finishErasures(at now: Timestamp) async throws -> [TimelineEvent]
    /// Reports whether the store answers, and the number of rows set aside; its cost does not grow with the database.
    func health() async throws -> StoreHealth
    /// Returns deliveries that were set aside because they cannot be read, the oldest first.
    func setAside(limit: Int) async throws -> [SetAsideDelivery]
    /// Queues again all rows that were set aside, once their fault is mended.
    ///
    /// - Returns: the number of rows.
    func retrySetAside(at now: Timestamp) async throws -> Int
    /// Returns the changes that any process has committed since `mark`; without a mark, only the mark to begin with.
    ///
    /// The mark moves on whatever is selected. `limit` applies to events.
    func news(since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int) async throws -> StoreNews
    /// Returns whether another process has written since the last call; `nil` if only ``news(since:_:limit:)`` can tell.
    func wasWrittenElsewhere() async throws -> Bool?
    /// Sends an announcement to other processes soon, together with other pending ones, and returns at once.
    func announce(_ announcement: StoreAnnouncement)
    /// Returns the announcements of other processes from now on; the stream ends at once if the engine has none.
    func announcements() -> AsyncStream<StoreAnnouncement>
}

extension UpkeepCalls {
    package func wasWrittenElsewhere() async throws -> Bool? { nil }
    package func announce(_ announcement: StoreAnnouncement) {}
    package func announcements() -> AsyncStream<StoreAnnouncement> { AsyncStream { $0.finish() } }
}

extension TransactionalStore {
    package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        let old = try await read(at: moment) { try Purging($0).oldMessages(limit: limit) }
        var deleted = 0
        for number in old {
            var isDone = false
            while !isDone { isDone = try await write(at: moment) { try Purging($0).purge(number) } }
            deleted += 1
        }
        var requests = limit
        while requests > 0 {
            let count = try await write(at: moment) { [requests] in
                try Purging($0).purgeRequests(limit: min(requests, ServiceLimits.rowsPerStep))
            }
            requests = count == 0 ? 0 : requests - count
        }
        return deleted
    }

    package func health() async throws -> StoreHealth { try await read { try Inspecting($0).health() } }

    package func setAside(limit: Int) async throws -> [SetAsideDelivery] {
        try await read { try Inspecting($0).setAside(limit: limit) }
    }

    package func retrySetAside(at now: Timestamp) async throws -> Int {
        try await write(at: now) { try Inspecting($0).retrySetAside() }
    }

    /// Reads the whole database and reports on it, which may take long.
    package func inspection() async throws -> StoreInspection { try await read { try Inspecting($0).inspection() } }

    package func news(
        since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int
    ) async throws -> StoreNews {
        try await read { try News($0).news(since: mark, selection, limit: limit) }
    }
}
