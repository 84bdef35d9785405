import CarillonCore
import CarillonExtension

/// What leaves the list of notifications; runs on the ``Carillon/notificationQueue``.
extension Carillon {
    /// Whether a message is only the notice in the place of one that this phone can remove altogether.
    func isRemovable(_ message: PushMessage) -> Bool { message.isNotice && configuration.recall == .enabled }

    /// Removes recalled messages, and remembers not to show them again.
    ///
    /// - Returns: whether none of them is left in the list.
    func remove(_ removals: [PushRemoval]) async -> Bool {
        guard configuration.recall == .enabled, !removals.isEmpty else { return true }
        let leaving = store.update { [now = clock.now] in $0.policy.remove(removals, at: now) }
        removeFromInbox(removals)
        tell(removals.map(RemovedMessage.init))
        let remaining = await notificationCenter.remove(leaving)
        for identifier in remaining.sorted() {
            configuration.report(.notificationFailed(identifier: identifier, reason: "it could not be removed"))
        }
        let removed = removals.filter { remaining.isDisjoint(with: $0.identifiers) }
        store.update { [now = clock.now] in $0.policy.wereRemoved(removed, at: now) }
        return remaining.isEmpty
    }

    /// Removes what may not be in the list: what has expired there, and what came after its recall where no code of the
    /// app could run.
    func removeRecalledAndExpired() async {
        let delivered = await notificationCenter.delivered().map {
            $0.message ?? PushMessage(identifier: $0.identifier, presentation: .bySystem)
        }
        let now = clock.now
        defer { watchExpiry(of: delivered) }
        var (recalled, expired) = store.contents.policy.recalledAndExpired(among: delivered, at: now)
        if configuration.recall == .disabled { recalled = [] }
        guard !recalled.isEmpty || !expired.isEmpty else { return }
        let tombstones = store.contents.policy.tombstones
        tell(
            recalled.map { RemovedMessage($0, tombstones.reason($0.removalName)) }
                + expired.map { RemovedMessage(identifier: $0, reason: .expired) })
        let remaining = await notificationCenter.remove(recalled.map(\.identifier) + expired)
        store.update { [recalled] contents in
            for message in recalled where !remaining.contains(message.identifier) {
                contents.policy.wasVetoed(message, at: now)
            }
            for identifier in expired where !remaining.contains(identifier) {
                contents.policy.hasExpired(identifier, .removedFromScreen, at: now)
            }
        }
    }

    /// Removes the next message of the list when it expires, if the app is still running then.
    private func watchExpiry(of delivered: [PushMessage]) {
        expiryAlarm?.cancel()
        let next = store.contents.policy.nextExpiry(among: delivered, at: clock.now)
        expiryAlarm = next.map { moment in
            clock.schedule(at: moment) { [weak self] in
                onMainThread { self?.startRemovingExpired() }
            }
        }
    }

    private func startRemovingExpired() {
        tasks.start { [self] in
            await notificationQueue.run { [self] in await removeRecalledAndExpired() }
            await serviceQueue.run { [self] in
                _ = await exchangeWithService(after: PushInstructions(dialect: .carillon))
            }
        }
    }
}
