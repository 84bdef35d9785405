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

    /// Deletes devices that were retired, and made their last request, before `moment`, and devices that can no longer prove
    /// their claim to a token.
    ///
    /// A device is retired if no push can be sent to it any more, for example because APNs reported its token as no longer valid.
    ///
    /// - Returns: the number of deleted devices.
    package func purgeDevices(before moment: Timestamp, at now: Timestamp) async throws -> Int {
        var (deleted, count) = (0, StoreLimits.devicesPerStep)
        while count == StoreLimits.devicesPerStep, !Task.isCancelled {
            count = try await transactions.write(at: moment) {
                try Purging($0).purgeDevices(limit: StoreLimits.devicesPerStep)
            }
            deleted += count
        }
        while !Task.isCancelled {
            // A read, because it looks through all devices that were retired more than a day ago.
            let unproven = try await transactions.read(at: now) {
                try DevicesTable($0).unproven(limit: StoreLimits.unprovenPerRead)
            }
            for start in stride(from: 0, to: unproven.count, by: StoreLimits.devicesPerStep) {
                let ids = Array(unproven[start...].prefix(StoreLimits.devicesPerStep))
                deleted += try await transactions.write(at: now) { try Purging($0).purgeUnproven(ids) }
            }
            if unproven.count < StoreLimits.unprovenPerRead { break }
        }
        return deleted
    }

    /// Deletes the events of all feeds that were written before `moment`, in steps of bounded size.
    ///
    /// - Returns: the number of deleted rows.
    package func purgeFeeds(before moment: Timestamp, at now: Timestamp) async throws -> Int {
        var deleted = 0
        for app in try await transactions.read({ try FeedTable($0).apps() }) {
            var count = StoreLimits.rowsPerStep
            while count == StoreLimits.rowsPerStep, !Task.isCancelled {
                count = try await transactions.write(at: now) {
                    try FeedTable($0).purge(app, before: moment, limit: StoreLimits.rowsPerStep)
                }
                deleted += count
            }
        }
        return deleted
    }

    /// Deletes figures of days before ``StoreLimits/figureDaysKept``, in steps of bounded size.
    package func purgeFigures(at now: Timestamp) async throws {
        let first = FigureDay(now).advanced(by: -StoreLimits.figureDaysKept)
        var count = StoreLimits.rowsPerStep
        while count == StoreLimits.rowsPerStep, !Task.isCancelled {
            count = try await transactions.write(at: now) {
                try FiguresTable($0).purge(before: first, limit: StoreLimits.rowsPerStep)
            }
        }
    }

    /// Deletes Live Activities that have not changed since `moment`, in steps of bounded size.
    package func purgeActivities(before moment: Timestamp) async throws {
        while !Task.isCancelled, try await transactions.write(at: moment, { try DeletingActivities($0).purge() }) {}
    }

    /// Continues interrupted erasures of users; the failure of one erasure does not stop the others.
    ///
    /// - Returns: the errors of the erasures that remain unfinished.
    package func finishErasures(at now: Timestamp) async throws -> [any Error] {
        var (failures, transactions): ([any Error], Transactions) = ([], transactions)
        // An erasure changes badges.
        transactions.wakesSenders = true
        for user in try await transactions.read({ try WorkTable($0).unfinishedErasures() }) {
            do {
                _ = try await UserCalls(transactions: transactions).erase(user, by: nil, at: now)
            } catch let cancellation as CancellationError {
                throw cancellation
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    /// Returns the removed apps (``AppCalls/remove(_:by:at:)``) whose devices and messages are not all deleted yet.
    package func removedApps() async throws -> [RemovedApp] {
        try await transactions.read { try RemovedAppsTable($0).all() }
    }

    /// Deletes the rows of a removed app in steps of bounded size.
    ///
    /// After an interruption, a further call continues. Several processes may call this function at the same time.
    ///
    /// - Returns: whether this call has finished the deletion; false if a call of another process has.
    /// - Throws: the errors of the database; `CancellationError` if the task is cancelled.
    package func delete(_ removed: RemovedApp, at now: Timestamp) async throws -> Bool {
        let app = removed.reference.number
        var isOurs: Bool?
        while isOurs == nil {
            try await inSteps(at: now) { try RemovingApps($0).deleteTasks(of: app, after: $1) }
            try await inSteps(at: now) { try RemovingApps($0).deleteRequests(of: app, after: $1) }
            try await inSteps(at: now) { session, _ in try RemovingApps(session).deleteMessages(of: app) ? nil : 0 }
            try await inSteps(at: now) { session, _ in try DeletingActivities(session).purge(app) ? 0 : nil }
            try await inSteps(at: now) { session, _ in try RemovingApps(session).deleteDevices(of: app) ? nil : 0 }
            try await inSteps(at: now) { session, _ in try RemovingApps(session).deleteRest(of: app) ? nil : 0 }
            isOurs = try await transactions.write(at: now) { try RemovingApps($0).end(app) }
        }
        await transactions.engine.removeTraces()
        return isOurs == true
    }

    /// Runs `step` in transactions of its own until it returns `nil`.
    ///
    /// The first run gets 0, and every further run the number that the previous one has returned.
    private func inSteps(
        at now: Timestamp, _ step: @escaping @Sendable (StoreSession, Int64) throws -> Int64?
    ) async throws {
        var next: Int64? = 0
        while let position = next {
            try Task.checkCancellation()
            next = try await transactions.write(at: now) { try step($0, position) }
        }
    }

    /// Returns the number of rows that are set aside: they cannot be decoded, so the service skips them.
    ///
    /// The function throws if the database does not answer. Its cost does not grow with the database.
    package func health() async throws -> StoreHealth { try await transactions.read { try Inspecting($0).health() } }

    /// Writes to the database, without a lasting change, to show that it can be written.
    ///
    /// - Throws: the errors of the database.
    func proveWritable() async throws { try await transactions.writeBeside { try SendersTable($0).proveWritable() } }

    /// The time for which the present writing transaction has been waited for; `nil` if none is under way.
    var writerWait: Duration? { transactions.engine.meter.writerWait }

    /// The number of writing calls that wait for a transaction.
    var waitingCalls: Int { transactions.engine.waitingWrites }

    /// Returns the state of the store and of its queues, as metrics show it.
    ///
    /// The call reads a snapshot, so it delays no writer, and counts at most ``StoreLimits/countedPushes`` pushes of a queue.
    func reading(at now: Timestamp) async throws -> StoreReading {
        try await transactions.read(at: now) { session in
            let topics = try AppsTable(session).topics()
            return try StoreReading(
                health: Inspecting(session).health(), queues: MeasuringQueues(session).queues(topics),
                topics: Set(topics.values))
        }
    }

    /// Returns the progress of three groups of broadcasts: new ones with greater message numbers than `message`, those whose
    /// recipients are still being determined, and those in `watched`.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``). If `message`
    /// is `nil`, the result leaves out the new ones.
    func broadcasts(after message: Int64?, _ watched: Set<Int64>) async throws -> BroadcastNews {
        try await transactions.read { try WatchingBroadcasts($0).news(after: message, watched) }
    }

    /// Returns deliveries that are set aside: they cannot be decoded, so senders skip them until an operator acts.
    ///
    /// The oldest deliveries come first, at most `limit`.
    package func setAside(limit: Int) async throws -> [SetAsideDelivery] {
        try await transactions.read { try Inspecting($0).setAside(limit: limit) }
    }

    /// Queues again all rows that are set aside.
    ///
    /// A row is set aside, and the service skips it, if it cannot be decoded. An operator requests this call after mending the
    /// fault.
    ///
    /// - Returns: the number of these rows.
    package func retrySetAside(at now: Timestamp) async throws -> Int {
        try await transactions.write(at: now) { try Inspecting($0).retrySetAside() }
    }

    /// Returns the findings of a check of the whole database, which may take long.
    package func inspection() async throws -> StoreInspection {
        try await transactions.read(at: Timestamp(millisecondsSince1970: 0), within: nil) {
            try Inspecting($0).inspection()
        }
    }
}
