import CarillonCore
import Foundation
import UIKit

/// The person's messages, whether or not a notification of them arrived: a push is a signal, not the only copy.
extension Carillon {
    /// The newest messages, newest first, at most 100: as the service told them last, without what was recalled or has
    /// expired since. Kept on the phone, and so there without a network too. Empty when nobody is signed in, and when
    /// ``CarillonConfiguration/fetchesInbox`` is `false`.
    public var inbox: [InboxItem] {
        let now = store.contents.policy.time.now(clock.now)
        return store.inbox.contents.items(at: now)
    }

    /// Fetches what is new. The SDK does so by itself at launch, on entering the foreground, and when a message arrives in
    /// the foreground.
    ///
    /// - Returns: whether the service has answered; the inbox is as it was if not.
    @discardableResult
    public func refreshInbox() async -> Bool { await serviceLane.run { [self] in await fetchInbox() } }

    // MARK: The service's side; on the service queue

    /// Says what was read here, then asks for the messages.
    func exchangeInbox() async {
        await tellRead()
        await fetchInbox()
    }

    @discardableResult
    func fetchInbox() async -> Bool {
        guard configuration.fetchesInbox, user != nil else { return true }
        do {
            let answer = try await service.inbox(as: store.identity)
            changeInbox { $0.fetched(answer) }
            return true
        } catch {
            failed(error, .inbox)
            return false
        }
    }

    func tellRead() async {
        guard user != nil else { return }
        for _ in 0..<InboxState.readLimit / InboxState.batchLimit {
            let batch = store.inbox.contents.batch(at: clock.now)
            guard !batch.isEmpty else { return }
            let asked = clock.now
            do {
                let answer = try await service.markRead(batch, as: store.identity)
                store.inbox.update { $0.settled(batch) }
                await apply(answer, askedAt: asked)
            } catch {
                failed(error, .read)
                guard error.isFinal, !error.isUnknownInstallation else { return }
                store.inbox.update { $0.settled(batch) }
            }
        }
    }

    // MARK: The phone's side

    func noteRead(_ id: MessageID, revision: Int, isSaid: Bool = false) {
        changeInbox { $0.read(id, revision: revision, isSaid: isSaid) }
    }

    func withdrawFromInbox(_ removals: [PushRemoval]) { changeInbox { $0.withdraw(removals) } }

    func emptyInbox() { changeInbox { $0 = InboxState() } }

    private func changeInbox(_ change: (inout InboxState) -> Void) {
        let hasChanged = store.inbox.update { state in
            let before = state.items
            change(&state)
            return state.items != before
        }
        if hasChanged { onInboxChange?() }
    }
}
