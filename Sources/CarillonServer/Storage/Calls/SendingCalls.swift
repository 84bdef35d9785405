import CarillonCore

/// The store's calls for senders, which claim pushes and report their outcomes.
package struct SendingCalls: Sendable {
    let transactions: Transactions

    /// Registers the caller as a sender, with a number that no sender had before.
    ///
    /// The caller chooses `name` at random for its process (``SenderName``).
    ///
    /// - Throws: the errors of the database; ``ServiceError`` if another sender of the same folder sends to another APNs.
    package func join(_ name: String) async throws -> JoinedSender {
        // Takes the lock before other senders can see the number, because they consider a sender without a lock dead.
        let presence = try transactions.engine.begin(name)
        let number = try await transactions.write(at: Timestamp(millisecondsSince1970: 0)) {
            try SendersTable($0).join(name)
        }
        return JoinedSender(number, presence: presence)
    }

    /// Returns the apps with alarms that a sender may end: its own ones, and those of senders that are gone.
    package func alarms(of sender: SenderNumber) async throws -> Set<AppID> {
        try await transactions.read { try AlarmsTable($0).apps(of: sender) }
    }

    /// Stores that nothing of some apps can be sent, or can be sent again, and tells it to the apps' feeds.
    ///
    /// An alarm that is known already is not told again.
    package func keep(
        _ change: UnwrittenAlarms.Change, of sender: SenderNumber, at now: Timestamp
    ) async throws {
        try await transactions.write(at: now) { session in
            let alarms = AlarmsTable(session)
            for alarm in change.raised { try alarms.raise(alarm, by: sender) }
            for app in change.over { try alarms.end(app, by: sender) }
        }
    }

    /// Increases a sender's heartbeat counter, and returns the other senders with their counters.
    ///
    /// The growing counter shows the other senders that this sender is running.
    ///
    /// - Throws: ``SenderEnded`` if another sender has taken over this sender's leases.
    package func beat(_ sender: SenderNumber) async throws -> [SenderBeat] {
        let others = try await transactions.writeBeside { session in
            let senders = SendersTable(session)
            try senders.beat(sender)
            return try senders.others(than: sender)
        }
        return others.map { other in
            let isDead = other.ended || transactions.engine.isGone(other.name)
            return SenderBeat(
                sender: other.number, beat: other.beat, isDead: isDead, place: SenderName.place(in: other.name))
        }
    }

    /// Ends leases of a sender that has ended or signs off, so that other senders send the leased pushes.
    ///
    /// A lease reserves a push for one sender. Leased pushes may already have reached APNs. Even so, they are sent again.
    ///
    /// - Parameters:
    ///   - sender: the sender whose leases end.
    ///   - beat: the sender's heartbeat counter as the caller last read it. If the counter has changed, the call does nothing.
    ///     The value is `nil` if the sender is known to have ended, or is itself the caller.
    ///   - limit: the greatest number of leases that the call ends.
    ///   - now: the time of the call.
    /// - Returns: the number of ended leases, and whether none is left.
    /// - Throws: the errors of the database.
    package func release(
        _ sender: SenderNumber, ifStillAt beat: Int?, limit: Int, at now: Timestamp
    ) async throws -> SenderRelease {
        let (release, goneName) = try await transactions.write(at: now) { session in
            let senders = SendersTable(session)
            let name = try senders.name(of: sender)
            let release = try Releasing(session).release(sender, ifStillAt: beat, limit: limit)
            return (release, try senders.name(of: sender) == nil ? name : nil)
        }
        if let goneName { transactions.engine.forget(goneName) }
        return release
    }

    /// Claims due pushes for a sender: reserves them by a lease, so that no other sender sends them.
    ///
    /// A due push that must not be sent any more, for example because its message has expired, is not claimed and never sent. The
    /// call also continues unfinished tasks (``StepwiseWork``), and begins the removal of messages whose `until` has passed.
    ///
    /// - Throws: ``SenderEnded`` if another sender has taken over this sender's leases.
    package func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        let claim = try await settingLateStepsAside(at: now) { try Claiming($0).claim(request) }
        await decide(at: now)
        return claim
    }

    /// Stores the outcomes of claimed pushes, and then claims further pushes if `request` is given, in one transaction.
    ///
    /// The call adds every outcome to the timeline. An outcome changes the push's state only if the sender's lease of the push is
    /// still valid.
    ///
    /// - Throws: the errors of ``claim(_:at:)``. After an error, nothing is stored.
    package func settle(
        _ pushes: [SentPush], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> Claim? {
        let claim: Claim? = try await settingLateStepsAside(at: now) { session in
            try Settling(session, rules).settle(pushes)
            return try request.map { try Claiming(session).claim($0) }
        }
        await decide(at: now)
        return claim
    }

    /// Answers the questions that a claim has left open (``AudienceDecisions``), in reading transactions, so that the next claim
    /// can plan the chunks.
    ///
    /// A message whose question cannot be answered is set aside, so that it does not occupy the sender for ever.
    private func decide(at now: Timestamp) async {
        for question in transactions.decisions.takeOpen() {
            do {
                let ordinals = try await transactions.read(at: now) { session in
                    try AudienceQuery(session).ordinals(
                        question.expression, of: question.app, at: question.moment, within: question.stretch)
                }
                transactions.decisions.decided(question, ordinals)
            } catch let error as ServiceError where error.isOutOfTime {
                _ = try? await transactions.write(at: now) {
                    try RangesTable($0).setAside(question.message, because: error)
                }
            } catch {
                // The database does not answer. The next claim asks again.
            }
        }
    }

    /// Runs `body` in a transaction.
    ///
    /// If a step of unfinished work is ended because it takes too long, the function sets this work aside, so that the work of
    /// others goes on, and runs `body` again.
    private func settingLateStepsAside<Value: Sendable>(
        at now: Timestamp, _ body: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await transactions.write(at: now, body)
            } catch let step as LateStep {
                try await transactions.write(at: now) { try step.setAside($0) }
            }
        }
    }

    /// Returns the number of pushes of an app that wait to be sent, at most `limit`.
    package func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        try await transactions.read { try DeliveriesTable($0).countWaiting(in: app, atMost: limit) }
    }

    /// Returns the earliest time at which a push or a task falls due; `nil` if nothing waits.
    ///
    /// The result ignores the pushes of `apps`.
    package func nextDue(except apps: Set<AppID>) async throws -> Timestamp? {
        try await transactions.read { try Claiming($0).nextDue(except: apps) }
    }
}
