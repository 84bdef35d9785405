import CarillonCore

/// What a running service does with its database beside its calls.
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
