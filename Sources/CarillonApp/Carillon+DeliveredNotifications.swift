import CarillonCore
import CarillonExtension

/// What the list of delivered notifications says; runs on the ``Carillon/notificationQueue``.
extension Carillon {
    /// Writes the receipts of what is in the list: it was shown, though perhaps no code of the app ran for it.
    func recordDelivered() async {
        let delivered = await notificationCenter.delivered()
        store.update { [now = clock.now] contents in
            for notification in delivered {
                guard let message = notification.message, !isRemovable(message) else { continue }
                contents.policy.record(message, at: now)
                contents.policy.wasShown(
                    notification.identifier, attempt: message.attempt, delivered: notification.alertedAt, at: now)
            }
        }
    }

    /// The messages in the list that the app's own code has not received, which counts as received now.
    ///
    /// - Returns: oldest first.
    func takeUnreported() async -> [AppMessage] {
        let delivered = await notificationCenter.delivered()
        return store.update { [now = clock.now] contents in
            delivered.reversed().compactMap { notification -> AppMessage? in
                let (identifier, userInfo, message) = (
                    notification.identifier, notification.userInfo, notification.message
                )
                if let message, isRemovable(message) { return nil }
                // It may have come after ``recordDelivered()`` read the list.
                if let message { contents.policy.record(message, at: now) }
                guard contents.policy.reachesApp(shown: identifier, payload: userInfo) else { return nil }
                return AppMessage(identifier: identifier, messageID: message?.messageID, userInfo: userInfo)
            }
        }
    }
}
