import CarillonCore
import CarillonMessaging

/// The number on the app's icon; runs on the ``Carillon/notificationQueue``.
extension Carillon {
    /// Shows the number that the service has counted, unless a newer one was shown before.
    ///
    /// The number is that of the user's unread messages. It comes with pushes, and with the service's answers.
    ///
    /// - Parameters:
    ///   - count: 0 removes the number.
    ///   - moment: when the service composed the number, by its clock; `nil` for one that the app itself sets.
    package func setBadge(_ count: Int, composedAt moment: Timestamp?) async {
        guard store.update({ $0.policy.badge.accepts(composedAt: moment) }) else { return }
        do {
            try await notificationCenter.setBadge(max(0, count), on: application)
        } catch {
            configuration.report(.notificationFailed(identifier: "badge", reason: "\(error)"))
        }
    }
}
