import CarillonCore

/// The work of a running service on its database beside its calls.
package protocol UpkeepCalls: Sendable {
    /// Deletes at most `limit` messages, with all that belongs to them, that were accepted before `moment` and have
    /// nothing left to send, and as many old idempotency keys.
    /// - Returns: how many messages were deleted.
    func purge(before moment: Timestamp, limit: Int) async throws -> Int
    /// Erases the users whose erasure was interrupted.
    func finishErasures(at now: Timestamp) async throws -> [TimelineEvent]
    /// Whether the store answers, and what it has set aside; costs the same whatever it holds.
    func health() async throws -> StoreHealth
    /// Deliveries that were set aside because they cannot be read, the oldest first.
    func setAside(limit: Int) async throws -> [SetAsideDelivery]
    /// Queues again what was set aside, once its cause is mended.
    /// - Returns: how many there were.
    func retrySetAside(at now: Timestamp) async throws -> Int
    /// What was committed since `mark`, by whichever process; without a mark nothing but where to begin.
    ///
    /// The mark moves on whatever is selected; `limit` is for events.
    func news(since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int) async throws -> StoreNews
    /// Whether another process has written since this was last asked; `nil` where only ``news(since:_:limit:)`` tells.
    func wasWrittenElsewhere() async throws -> Bool?
    /// Tells other processes soon, together with what else is to be told then, and returns at once.
    func announce(_ announcement: StoreAnnouncement)
    /// What other processes announce from now on; ends at once where nothing is announced.
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

    /// Reads all of the database, which takes its time.
    package func inspection() async throws -> StoreInspection { try await read { try Inspecting($0).inspection() } }

    package func news(
        since mark: StoreNews.Mark?, _ selection: StoreNews.Selection, limit: Int
    ) async throws -> StoreNews {
        try await read { try News($0).news(since: mark, selection, limit: limit) }
    }
}
