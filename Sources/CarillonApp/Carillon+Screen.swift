import CarillonCore
import Foundation

/// What changes the screen; everything here runs on the ``Carillon/screenLane``.
extension Carillon {
    /// Takes recalled messages away and remembers not to show them again.
    ///
    /// - Returns: whether none of them is left on the screen.
    func remove(_ removals: [PushRemoval]) async -> Bool {
        guard configuration.recall == .enabled, !removals.isEmpty else { return true }
        let leaving = store.update { [now = clock.now] in $0.policy.remove(removals, at: now) }
        withdrawFromInbox(removals)
        onRemoval?(removals.map(RemovedMessage.init))
        let remaining = await screen.remove(leaving)
        for identifier in remaining.sorted() {
            configuration.report(.notificationFailed(identifier: identifier, reason: "it could not be removed"))
        }
        let gone = removals.filter { remaining.isDisjoint(with: $0.identifiers) }
        store.update { [now = clock.now] in $0.policy.areGone(gone, at: now) }
        return remaining.isEmpty
    }

    /// Takes away what may not be on the screen: what has expired while it was shown, and what came after its recall
    /// where no code of the app could run.
    func removeUnwelcome() async {
        let onScreen = await screen.shown().map { message(in: $0) }
        let now = clock.now
        var (recalled, expired) = store.contents.policy.unwelcome(among: onScreen, at: now)
        if configuration.recall == .disabled { recalled = [] }
        guard !recalled.isEmpty || !expired.isEmpty else { return }
        let tombstones = store.contents.policy.tombstones
        onRemoval?(
            recalled.map { RemovedMessage($0, tombstones.reason($0.key)) }
                + expired.map { RemovedMessage(identifier: $0, reason: .expired) })
        let remaining = await screen.remove(recalled.map(\.identifier) + expired)
        store.update { [recalled] contents in
            for message in recalled where !remaining.contains(message.identifier) {
                contents.policy.wasVetoed(message, at: now)
            }
            for identifier in expired where !remaining.contains(identifier) {
                contents.policy.hasExpired(identifier, .removedFromScreen, at: now)
            }
        }
    }

    /// Sets the number on the icon, unless something newer has been said about it.
    ///
    /// - Parameter moment: when the service said so, by its clock; `nil` for what the app itself decides.
    func setBadge(_ count: Int, saidAt moment: Timestamp?) async {
        guard store.update({ $0.policy.badge.takes(saidAt: moment) }) else { return }
        do {
            try await screen.setBadge(max(0, count), on: application)
        } catch {
            configuration.report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }

    /// Looks at the list: what stands there was shown, though perhaps no code of the app ran for it.
    func meetShown() async {
        let shown = await screen.shown()
        store.update { [interpreter, now = clock.now] contents in
            for notification in shown {
                guard var message = interpreter.instructions(for: notification.userInfo).message else { continue }
                message.identifier = notification.identifier
                contents.policy.meet(message, at: now)
                contents.policy.wasShown(
                    notification.identifier, attempt: message.attempt, delivered: notification.delivered, at: now)
            }
        }
    }

    /// What stands on the screen, as a message; whoever sent it.
    private func message(in shown: NotificationCenterClient.Shown) -> PushMessage {
        let read = interpreter.instructions(for: shown.userInfo).message
        var message = read ?? PushMessage(identifier: shown.identifier, presentation: .bySystem)
        message.identifier = shown.identifier
        return message
    }

    /// - Returns: the messages in the list of which the app has not heard, oldest first.
    func unheardOnScreen() async -> [AppMessage] {
        let shown = await screen.shown()
        return store.update { [interpreter, now = clock.now] contents in
            shown.reversed().compactMap { notification -> AppMessage? in
                let (identifier, userInfo) = (notification.identifier, notification.userInfo)
                var message = interpreter.instructions(for: userInfo).message
                message?.identifier = identifier
                // It may have come after ``meetShown()`` had looked.
                if let message { contents.policy.meet(message, at: now) }
                guard contents.policy.reachesApp(shown: identifier, payload: userInfo) else { return nil }
                return AppMessage(identifier: identifier, messageID: message?.messageID, userInfo: userInfo)
            }
        }
    }
}
