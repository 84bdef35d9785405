import CarillonCore
import Foundation

/// What changes the screen; everything here runs on the ``Carillon/screenLane``.
extension Carillon {
    /// Takes recalled messages away and remembers not to show them again.
    ///
    /// - Returns: whether none of them is left on the screen.
    func remove(_ identifiers: [String], dialect: PushInstructions.Dialect) async -> Bool {
        guard configuration.recall == .enabled, !identifiers.isEmpty else { return true }
        let reusesIdentifiers = dialect == .pushwoosh
        store.update { [now = clock.now] in
            $0.desk.remove(identifiers, reusesIdentifiers: reusesIdentifiers, at: now)
        }
        onRemoval?(identifiers)
        let remaining = await screen.remove(identifiers)
        for identifier in remaining.sorted() {
            configuration.report(.notificationFailed(identifier: identifier, reason: "it could not be removed"))
        }
        guard dialect == .carillon else { return remaining.isEmpty }
        let gone = identifiers.filter { !remaining.contains($0) }.compactMap { try? MessageID($0) }
        store.update { [now = clock.now] in $0.desk.areGone(gone, at: now) }
        return remaining.isEmpty
    }

    /// Takes away what has expired while it was shown.
    func removeExpired() async {
        let onScreen = Set(await screen.shown().map(\.identifier))
        let now = clock.now
        let expired = store.contents.desk.expired(among: onScreen, at: now)
        let remaining = await screen.remove(expired)
        guard !expired.isEmpty else { return }
        onRemoval?(expired)
        store.update { contents in
            for identifier in expired where !remaining.contains(identifier) {
                contents.desk.hasExpired(identifier, .removedFromScreen, at: now)
            }
        }
    }

    /// Sets the number on the icon, unless something newer has been said about it.
    ///
    /// - Parameter moment: when the service said so, by its clock; `nil` for what the app itself decides.
    func setBadge(_ count: Int, saidAt moment: Timestamp?) async {
        guard store.update({ $0.desk.badge.takes(saidAt: moment) }) else { return }
        do {
            try await screen.setBadge(max(0, count), on: application)
        } catch {
            configuration.report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }

    /// Looks at the list: what stands there was shown, and the app may not have heard of it.
    ///
    /// - Returns: the messages of which the app has not heard.
    func readScreen() async -> [AppMessage] {
        let shown = await screen.shown()
        let now = clock.now
        return store.update { [interpreter] contents in
            shown.reversed().compactMap { notification -> AppMessage? in
                var message = interpreter.instructions(for: notification.userInfo).message
                message?.identifier = notification.identifier
                if let message { contents.desk.meet(message, at: now) }
                contents.desk.wasShown(notification.identifier, at: now)
                guard contents.desk.reachesApp(shown: notification.identifier, payload: notification.userInfo) else {
                    return nil
                }
                return AppMessage(
                    identifier: notification.identifier, messageID: message?.messageID, userInfo: notification.userInfo)
            }
        }
    }
}
