import CarillonCore
import Foundation
import UserNotifications

/// The scheduled summary: at certain hours the phone shows all waiting non-urgent notifications together.
///
/// See ``PhoneRule/summaryHoldsBack`` and ``IOSLimits/summaryHours``.
extension Notifications {
    /// The notifications of the next summary: the most relevant first, and the newest first among equally relevant ones.
    var upcomingSummary: [UNNotification] {
        apps.all.flatMap { perApp[$0].list.delivered.filter(\.waitsForSummary).map(\.notification) }
            .sorted { $0.ranks(before: $1) }
    }

    /// Sets the timer of the next summary, one for all apps, unless it is set already.
    func awaitSummary() {
        guard summaryTimer == nil else { return }
        let next = DeviceState.summaryTime(after: kernel.now, hours: device.settings.summaryHours, in: device.timeZone)
        summaryTimer = kernel.schedule(at: next) { [weak self] in self?.showSummary() }
    }

    /// Shows the summary silently on the lock screen, with the notifications that have waited for it, in their order.
    private func showSummary() {
        summaryTimer = nil
        guard device.isPoweredOn else { return }
        summary = upcomingSummary
        for app in apps.all { perApp[app].list.endWaitingForSummary(isLocked: device.isLocked) }
        kernel.changed(.screen)
    }
}

extension UNNotification {
    /// Returns whether this notification comes before the other in a summary: the more relevant first, then the newer.
    fileprivate func ranks(before other: UNNotification) -> Bool {
        let (own, others) = (request.content.relevanceScore, other.request.content.relevanceScore)
        return own == others ? date > other.date : own > others
    }
}
