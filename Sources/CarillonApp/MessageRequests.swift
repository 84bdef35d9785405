import CarillonCore
import CarillonMessaging

/// The lanes of the requests about messages: removals, receipts, reports of read messages, and the inbox.
@MainActor
struct MessageRequests {
    let calls: ServiceCalls
    let tokens: SignInTokens

    private var store: CarillonStore { calls.store }
    private var clock: any CarillonClock { calls.clock }

    /// The time of the next attempt of any of these lanes; `nil` if nothing waits, or if no back-off delays it.
    var nextAttempt: Timestamp? {
        let (contents, inbox, now) = (store.contents, store.inbox, clock.now)
        return [
            contents.sync.nextAttempt(at: now), contents.policy.receipts.nextAttempt(at: now),
            inbox.reads.nextAttempt(at: now), inbox.fetch.nextAttempt(at: now),
        ].compactMap(\.self).min()
    }

    /// Fetches removals and the badge's number for this installation from the service, and applies them.
    ///
    /// - Returns: whether the service has answered; `true` also if this installation is not registered at all.
    @discardableResult
    func synchronise() async -> Bool {
        guard store.contents.registration.confirmed != nil, let identity = store.identity else { return true }
        store.update { $0.sync.ask() }
        guard store.contents.sync.isDue(at: clock.now) else { return false }
        let failure = await calls.send(.sync, as: identity) {
            try await $0.sync(as: $1)
        } record: {
            $0
        }
        if let failure { store.update { $0.sync.failed(failure) } }
        return failure == nil
    }

    /// Sends the waiting receipts, in batches.
    ///
    /// - Returns: whether no receipt is left to send.
    func sendReceipts() async -> Bool {
        guard store.contents.registration.confirmed != nil else { return true }
        await sendBatches(
            .receipts,
            of: { [store] (change: (inout ReceiptQueue) -> Void) in
                store.update { change(&$0.policy.receipts) }
            },
            unless: { false }, { try await $0.send($1, as: $2) })
        return store.contents.policy.receipts.pending.isEmpty
    }

    /// Reports the messages that were read on this phone, in batches.
    func sendReads() async {
        guard store.contents.registration.user != nil else { return }
        let userChangeCount = tokens.userChangeCount
        await sendBatches(
            .read, of: { [store] (change: (inout ReadLane) -> Void) in store.updateInbox { change(&$0.reads) } },
            // What waits by then are the next user's reads.
            unless: { [tokens] in userChangeCount != tokens.userChangeCount }, { try await $0.markRead($1, as: $2) })
    }

    /// Sends the entries of a lane, one batch after another.
    ///
    /// - Parameters:
    ///   - request: the kind of the requests.
    ///   - lane: calls its argument with the lane.
    ///   - isOutdated: whether the lane's entries are no longer those of the last request.
    ///   - call: calls a method of the client with a batch.
    private func sendBatches<Lane: BatchLane>(
        _ request: ServiceCalls.Request, of lane: ((inout Lane) -> Void) -> Void, unless isOutdated: () -> Bool,
        _ call: @MainActor (ServiceClient, [Lane.Entry], InstallationIdentity) async throws -> SyncAnswer
    ) async {
        for _ in 0..<AppLimits.batchesAtOnce {
            var batch: [Lane.Entry] = []
            lane { [now = clock.now] in batch = $0.batch(at: now) }
            guard !batch.isEmpty, let identity = store.identity else { return }
            let failure = await calls.send(request, as: identity) { [batch] in
                try await call($0, batch, $1)
            } record: { [batch] answer in
                guard !isOutdated() else { return nil }
                lane { $0.settled(batch) }
                return answer
            }
            guard !isOutdated() else { return }
            guard let failure else { continue }
            var goesOn = false
            lane { goesOn = $0.failed(batch, failure) }
            guard goesOn else { return }
        }
    }

    /// Fetches the inbox from the service, if the configuration asks for it and a user is signed in.
    ///
    /// - Returns: whether the service has answered; `true` if there is nothing to fetch.
    @discardableResult
    func fetchInbox() async -> Bool {
        guard calls.configuration.fetchesInbox, store.contents.registration.user != nil, let identity = store.identity
        else { return true }
        store.updateInbox { $0.fetch.ask() }
        guard store.inbox.fetch.isDue(at: clock.now) else { return false }
        let userChangeCount = tokens.userChangeCount
        let failure = await calls.send(.inbox, as: identity) {
            try await $0.inbox(as: $1)
        } record: { answer in
            // If somebody has signed in or out meanwhile, these may be another user's messages.
            if userChangeCount == tokens.userChangeCount { store.updateInbox { $0.fetched(answer) } }
            return nil
        }
        if let failure, userChangeCount == tokens.userChangeCount { store.updateInbox { $0.fetch.failed(failure) } }
        return failure == nil
    }
}
