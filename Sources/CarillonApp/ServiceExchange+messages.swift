import CarillonCore
import CarillonMessaging

/// The requests about messages: removals, receipts, read messages and the inbox.
extension ServiceExchange {
    /// Fetches removals and the badge's number for this installation from the service, and applies them.
    ///
    /// - Returns: whether the service has answered; `true` also if this installation is not registered at all.
    @discardableResult
    func synchronise() async -> Bool {
        guard store.contents.registration.confirmed != nil, let identity = store.identity else { return true }
        let requestedAt = clock.now
        do {
            await apply(try await service.sync(as: identity), askedAt: requestedAt)
            return true
        } catch {
            await failed(error, .sync)
            return await registerAgainIfForgotten()
        }
    }

    /// Sends the waiting receipts, in batches.
    ///
    /// - Returns: whether no receipt is left to send.
    func sendReceipts() async -> Bool {
        guard store.contents.registration.confirmed != nil else { return true }
        var size = BatchSize(AppLimits.receiptsPerBatch)
        for _ in 0..<AppLimits.batchesAtOnce {
            let batch = Array(store.contents.policy.receipts.batch(at: clock.now).prefix(size.count))
            guard !batch.isEmpty, let identity = store.identity else { break }
            let requestedAt = clock.now
            do {
                let answer = try await service.send(batch, as: identity)
                size.taken()
                store.update { $0.policy.receipts.settled(batch) }
                await apply(answer, askedAt: requestedAt)
            } catch {
                await failed(error, .receipts)
                if await registerAgainIfForgotten() { continue }
                guard error.isFinal, !error.isUnknownInstallation else { return false }
                // The service will never accept this receipt: keeping it would hold up all later ones.
                let isAlone = size.refused(batch.count)
                store.update {
                    isAlone ? $0.policy.receipts.settled(batch) : $0.policy.receipts.backoff.succeeded()
                }
            }
        }
        return store.contents.policy.receipts.pending.isEmpty
    }

    /// Reports the messages that were read on this phone, in batches.
    func sendReads() async {
        guard store.contents.registration.user != nil, let identity = store.identity else { return }
        var size = BatchSize(AppLimits.readsPerBatch)
        for _ in 0..<AppLimits.batchesAtOnce {
            let batch = Array(store.inbox.batch(at: clock.now).prefix(size.count))
            guard !batch.isEmpty else { return }
            let requestedAt = clock.now
            let userChangeCount = tokens.userChangeCount
            do {
                let answer = try await service.markRead(batch, as: identity)
                // What waits by now are the next user's reads.
                guard userChangeCount == tokens.userChangeCount else { return }
                size.taken()
                store.updateInbox { $0.settled(batch) }
                await apply(answer, askedAt: requestedAt)
            } catch {
                await failed(error, .read)
                guard error.isFinal, !error.isUnknownInstallation, userChangeCount == tokens.userChangeCount
                else { return }
                let isAlone = size.refused(batch.count)
                store.updateInbox { isAlone ? $0.settled(batch) : $0.backoff.succeeded() }
            }
        }
    }

    /// Fetches the inbox from the service, if the configuration asks for it and a user is signed in.
    ///
    /// - Returns: whether the service has answered; `true` if there is nothing to fetch.
    @discardableResult
    func fetchMessages() async -> Bool {
        guard configuration.fetchesInbox, store.contents.registration.user != nil, let identity = store.identity
        else { return true }
        isInboxDue = false
        let userChangeCount = tokens.userChangeCount
        do {
            let answer = try await service.inbox(as: identity)
            // If somebody has signed in or out meanwhile, these may be another user's messages.
            if userChangeCount == tokens.userChangeCount {
                store.updateInbox { $0.fetched(answer) }
            } else {
                isInboxDue = true
            }
            return true
        } catch {
            await failed(error, .inbox)
            return false
        }
    }
}
