import CarillonCore

/// Senders, what they lease, and what comes of it.
package protocol SendingCalls: Sendable {
    /// Makes the caller one of the senders, under a number that nobody ever had; its name is drawn for this process.
    func join(_ name: String) async throws -> JoinedSender
    /// Shows that a sender lives, and tells the other senders.
    ///
    /// - Throws: ``SenderEnded`` when it was taken for gone meanwhile.
    func beat(_ sender: SenderNumber) async throws -> [SenderBeat]
    /// Ends at most `limit` leases of a sender that is gone, or that leaves: what it held may have been sent.
    ///
    /// If it has beaten since `beat`, nothing is done; `nil` when it is known to be gone.
    func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease
    /// Leases what is due. What must not be sent any more is finished on the way.
    ///
    /// It also goes on, a step at a time, with what a call has begun and not finished, and begins the removal of messages
    /// whose `until` has passed.
    ///
    /// - Throws: ``SenderEnded`` when the sender was taken for gone meanwhile.
    func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim
    /// Writes down what came of claimed deliveries: as facts in any case, as their state under the lease that holds. Then it
    /// leases what is due, where that is asked for; both are one transaction.
    ///
    /// - Throws: what ``claim(_:at:)`` does; then nothing is written down.
    func settle(
        _ settlements: [Settlement], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: SettledPushes, claim: Claim?)
    /// How many pushes of an app wait to be sent, counted up to a limit.
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int
    /// When something falls due next; `nil` when nothing waits.
    func nextDue(except apps: Set<AppID>) async throws -> Timestamp?
}

extension SendingCalls {
    /// Writes down what came of claimed deliveries.
    package func settle(
        _ settlements: [Settlement], _ rules: SendingRules, at now: Timestamp
    ) async throws -> SettledPushes {
        try await settle(settlements, rules, claiming: nil, at: now).settled
    }
}

extension TransactionalStore {
    package func join(_ name: String) async throws -> JoinedSender {
        // Held before anybody can see the number: a sender without its lock is taken for dead.
        let presence = try begin(name)
        let number = try await write(at: Timestamp(millisecondsSince1970: 0)) { try SendersTable($0).join(name) }
        return JoinedSender(number, presence: presence)
    }

    package func beat(_ sender: SenderNumber) async throws -> [SenderBeat] {
        let others = try await writeBeside { session in
            let senders = SendersTable(session)
            try senders.beat(sender)
            return try senders.others(than: sender)
        }
        return others.map { other in
            SenderBeat(sender: other.number, beat: other.beat, isDead: other.ended || isGone(other.name))
        }
    }

    package func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease {
        let (release, goneName) = try await write(at: now) { session in
            let senders = SendersTable(session)
            let name = try senders.name(of: sender)
            let release = try Releasing(session).release(sender, ifStillAt: beat, limit: limit)
            return (release, try senders.name(of: sender) == nil ? name : nil)
        }
        if let goneName { forget(goneName) }
        return release
    }

    package func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        try await write(at: now) { try Claiming($0).claim(request) }
    }

    package func settle(
        _ settlements: [Settlement], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: SettledPushes, claim: Claim?) {
        try await write(at: now) { session in
            let settled = try Settling(session, rules).settle(settlements)
            return (settled, try request.map { try Claiming(session).claim($0) })
        }
    }

    package func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        try await read { try DeliveriesTable($0).countWaiting(in: app, atMost: limit) }
    }

    package func nextDue(except apps: Set<AppID>) async throws -> Timestamp? {
        try await read { try Claiming($0).nextDue(except: apps) }
    }
}
