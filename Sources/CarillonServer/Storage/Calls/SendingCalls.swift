import CarillonCore

/// The store's calls for senders: leases and outcomes.
package protocol SendingCalls: Sendable {
    /// Registers the caller as a sender, under a number that was never used before; its name is drawn for this process.
    func join(_ name: String) async throws -> JoinedSender
    /// Increases a sender's beat, which shows that it lives, and returns the other senders.
    ///
    /// - Throws: ``SenderEnded`` if its leases were taken over meanwhile.
    func beat(_ sender: SenderNumber) async throws -> [SenderBeat]
    /// Ends at most `limit` leases of a sender that is gone or leaves; its pushes in flight may have been sent.
    ///
    /// If the sender has beaten since `beat`, nothing is done. A `beat` of `nil` means that the sender is known to be gone.
    func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease
    /// Leases due pushes, and ends pushes that must not be sent any more.
    ///
    /// It also continues unfinished work, a step at a time, and begins the removal of messages whose `until` has passed.
    ///
    /// - Throws: ``SenderEnded`` if the sender's leases were taken over meanwhile.
    func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim
    /// Writes down the outcomes of claimed deliveries, then leases due pushes if `request` is given, in one transaction.
    ///
    /// Every outcome goes onto the timeline. It changes the push's state only if its lease is still valid.
    ///
    /// - Throws: the errors of ``claim(_:at:)``; then nothing is written down.
    func settle(
        _ settlements: [Settlement], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: SettledPushes, claim: Claim?)
    /// Returns the number of an app's waiting pushes, counted up to a limit.
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int
    /// Returns the time at which something falls due next; `nil` if nothing waits.
    func nextDue(except apps: Set<AppID>) async throws -> Timestamp?
}

extension SendingCalls {
    /// Writes down the outcomes of claimed deliveries.
    package func settle(
        _ settlements: [Settlement], _ rules: SendingRules, at now: Timestamp
    ) async throws -> SettledPushes {
        try await settle(settlements, rules, claiming: nil, at: now).settled
    }
}

extension TransactionalStore {
    package func join(_ name: String) async throws -> JoinedSender {
        // The lock is taken before the number becomes visible: a sender without its lock is taken for dead.
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
