import CarillonCore
import CarillonMessaging
import Foundation
import UIKit

/// The user's messages, whether or not a notification of them arrived: a push is a signal, not the only copy.
extension Carillon {
    /// The user's newest messages, newest first, at most 100.
    ///
    /// They are those that the service listed last, without what was recalled or has expired since. They are kept on the
    /// phone, so they are available without a network too. Empty when nobody is signed in, and when
    /// ``CarillonConfiguration/fetchesInbox`` is `false`.
    public var inbox: [InboxItem] {
        let now = store.contents.policy.time.now(clock.now)
        return store.inbox.items(at: now)
    }

    /// Fetches the inbox from the service.
    ///
    /// The SDK does so by itself at launch, on entering the foreground, and when a message arrives in the foreground.
    ///
    /// - Returns: whether the service has answered; if not, the inbox is unchanged.
    @discardableResult
    public func refreshInbox() async -> Bool { await serviceQueue.run { [self] in await fetchInbox() } }

    // MARK: Requests, on the service queue

    /// Reports what was read here, then fetches the messages.
    func exchangeInbox() async {
        await sendReads()
        await fetchInbox()
    }

    /// - Returns: whether the service has answered; `true` when there is nothing to ask for.
    @discardableResult
    func fetchInbox() async -> Bool {
        guard configuration.fetchesInbox, user != nil, let identity = store.identity else { return true }
        do {
            let answer = try await service.inbox(as: identity)
            changeInbox { $0.fetched(answer) }
            return true
        } catch {
            failed(error, .inbox)
            return false
        }
    }

    /// Reports the messages that were read here, in batches.
    func sendReads() async {
        guard user != nil, let identity = store.identity else { return }
        for _ in 0..<AppLimits.pendingReads / AppLimits.readsPerBatch {
            let batch = store.inbox.batch(at: clock.now)
            guard !batch.isEmpty else { return }
            let requestedAt = clock.now
            do {
                let answer = try await service.markRead(batch, as: identity)
                store.updateInbox { $0.settled(batch) }
                await apply(answer, askedAt: requestedAt)
            } catch {
                failed(error, .read)
                guard error.isFinal, !error.isUnknownInstallation else { return }
                store.updateInbox { $0.settled(batch) }
            }
        }
    }

    // MARK: Changes on this phone

    /// - Parameters:
    ///   - id: of the message.
    ///   - revision: the one that the person has seen.
    ///   - isReported: whether the service learns of it by a receipt; the default is `false`.
    func recordRead(_ id: MessageID, revision: Int, isReported: Bool = false) {
        changeInbox { $0.read(id, revision: revision, isReported: isReported) }
    }

    func removeFromInbox(_ removals: [PushRemoval]) { changeInbox { $0.withdraw(removals) } }

    func emptyInbox() { changeInbox { $0 = InboxState() } }

    private func changeInbox(_ change: (inout InboxState) -> Void) {
        let hasChanged = store.updateInbox { state in
            let before = state.items
            change(&state)
            return state.items != before
        }
        if hasChanged { onInboxChange?() }
    }
}
