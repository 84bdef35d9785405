import CarillonCore

/// The store's calls for the maintenance of the database.
package struct UpkeepCalls: Sendable {
    let transactions: Transactions

    /// Deletes at most `limit` old messages with all their rows, and at most `limit` old idempotency keys.
    ///
    /// A message is old if it was accepted before `moment` and has nothing left to send.
    ///
    /// - Returns: the number of deleted messages.
    package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
        let old = try await transactions.read(at: moment) { try Purging($0).oldMessages(limit: limit) }
        var deleted = 0
        for number in old {
            var isDone = false
            while !isDone { isDone = try await transactions.write(at: moment) { try Purging($0).purge(number) } }
            deleted += 1
        }
        var requests = limit
        while requests > 0 {
            let count = try await transactions.write(at: moment) { [requests] in
                try Purging($0).purgeRequests(limit: min(requests, StoreLimits.rowsPerStep))
            }
            requests = count == 0 ? 0 : requests - count
        }
        return deleted
    }

    /// Deletes devices that were retired before `moment`, so that no push can be sent to them, and have sent no request since.
    ///
    /// - Returns: the number of deleted devices.
    package func purgeDevices(before moment: Timestamp) async throws -> Int {
        var (deleted, count) = (0, StoreLimits.devicesPerStep)
        while count == StoreLimits.devicesPerStep, !Task.isCancelled {
            count = try await transactions.write(at: moment) {
                try Purging($0).purgeDevices(limit: StoreLimits.devicesPerStep)
            }
            deleted += count
        }
        return deleted
    }

    /// Continues interrupted erasures of users, each independently of the others.
    ///
    /// - Returns: the new events, and the errors of the erasures that remain unfinished.
    package func finishErasures(at now: Timestamp) async throws -> (events: [TimelineEvent], failures: [any Error]) {
        var (events, failures): ([TimelineEvent], [any Error]) = ([], [])
        for user in try await transactions.read({ try WorkTable($0).unfinishedErasures() }) {
            do {
                events += try await UserCalls(transactions: transactions).erase(user, at: now).events
            } catch let cancellation as CancellationError {
                throw cancellation
            } catch {
                failures.append(error)
            }
        }
        return (events, failures)
    }

    /// Returns the number of rows that were set aside because they cannot be decoded; throws if the store does not answer.
    ///
    /// The cost of the call does not grow with the database.
    package func health() async throws -> StoreHealth { try await transactions.read { try Inspecting($0).health() } }

    /// Returns deliveries that were set aside because they cannot be decoded, oldest first.
    package func setAside(limit: Int) async throws -> [SetAsideDelivery] {
        try await transactions.read { try Inspecting($0).setAside(limit: limit) }
    }

    /// Queues all rows again that were set aside because they could not be decoded.
    ///
    /// An operator requests this after mending the fault.
    ///
    /// - Returns: the number of these rows.
    package func retrySetAside(at now: Timestamp) async throws -> Int {
        try await transactions.write(at: now) { try Inspecting($0).retrySetAside() }
    }

    /// Reads and checks the whole database, which may take long.
    package func inspection() async throws -> StoreInspection {
        try await transactions.read { try Inspecting($0).inspection() }
    }
}
