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
            .sorted { Self.ranks($0, before: $1) }
    }

    private static func ranks(_ left: UNNotification, before right: UNNotification) -> Bool {
        let (first, second) = (left.request.content.relevanceScore, right.request.content.relevanceScore)
        return first == second ? left.date > right.date : first > second
    }

    /// Sets the timer of the next summary, one for all apps, unless it is set already.
    func awaitSummary() {
        guard summaryTimer == nil else { return }
        let next = Self.summaryTime(after: kernel.now, hours: device.settings.summaryHours, in: device.timeZone)
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

    /// Returns the time of the next summary.
    ///
    /// - Parameters:
    ///   - now: the time by the phone's clock.
    ///   - hours: the hours of the day; without any, the result is a year away, which means never.
    ///   - zone: the time zone of the hours.
    /// - Returns: the time of the next summary.
    nonisolated static func summaryTime(after now: Timestamp, hours: [Int], in zone: TimeZone) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let next = hours.compactMap { hour in
            calendar.nextDate(
                after: now.date, matching: DateComponents(hour: hour, minute: 0, second: 0), matchingPolicy: .nextTime)
        }
        return next.min().map { Timestamp($0) } ?? now + .seconds(365 * 86_400)
    }
}
