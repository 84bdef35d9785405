import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// An app's notifications: delivered ones, newest first, and pending ones.
struct NotificationList: Sendable {
    struct Delivered: Sendable {
        var notification: UNNotification
        var isRemote: Bool
        var isOnLockScreen: Bool
        var waitsForSummary = false
        /// The number of the notification's entry in the phone's traces.
        ///
        /// It is `nil` for a notification that was restored from the saved state of another phone.
        var entry: Int?

        var identifier: String { notification.request.identifier }
    }

    struct Pending: Sendable {
        var request: UNNotificationRequest
        var addedAt: Timestamp
        /// The time at which the request fires next; `nil` while it waits for a location.
        var due: Timestamp?
        /// The position of the request in the order in which the app has added its requests.
        var number = 0
    }

    private(set) var delivered: [Delivered] = []
    private(set) var pending: [Pending] = []
    private var numberOfAdded = 0

    init() {}

    init(delivered: [Delivered], pending: [Pending]) {
        self.delivered = delivered
        self.pending = pending
        numberOfAdded = pending.count
        for (index, number) in zip(self.pending.indices, 1...) { self.pending[index].number = number }
        sort()
    }

    /// Adds a delivered notification.
    ///
    /// - Returns: the earlier notifications with an equal identifier; the new notification has replaced them.
    @discardableResult
    mutating func show(_ new: Delivered, rules: PhoneRules) -> [Delivered] {
        func isSame(_ old: Delivered) -> Bool {
            old.identifier == new.identifier && rules.keeps(.sameIdentifierReplaces)
                && (old.isRemote == new.isRemote || rules.pushReplacesLocal)
        }
        let replaced = delivered.filter(isSame)
        if !replaced.isEmpty { delivered.removeAll(where: isSame) }
        delivered.insert(new, at: 0)
        if delivered.count > PhoneLimits.deliveredNotificationsPerApp { delivered.removeLast() }
        return replaced
    }

    /// Removes delivered notifications.
    ///
    /// - Parameter identifiers: the identifiers of the notifications to remove; `nil` means all.
    /// - Returns: the removed notifications.
    @discardableResult
    mutating func removeDelivered(_ identifiers: [String]?) -> [Delivered] {
        let wanted = identifiers.map(Set.init)
        let gone = delivered.filter { wanted?.contains($0.identifier) ?? true }
        delivered.removeAll { wanted?.contains($0.identifier) ?? true }
        return gone
    }

    mutating func leaveLockScreen() {
        for index in delivered.indices { delivered[index].isOnLockScreen = false }
    }

    mutating func endWaitingForSummary(isLocked: Bool) {
        for index in delivered.indices where delivered[index].waitsForSummary {
            delivered[index].waitsForSummary = false
            delivered[index].isOnLockScreen = isLocked
        }
    }

    /// Adds a pending request.
    ///
    /// - Returns: the identifiers of the requests that were dropped because of the limit.
    mutating func schedule(_ new: Pending, rules: PhoneRules) -> [String] {
        if rules.keeps(.sameIdentifierReplaces) {
            pending.removeAll { $0.request.identifier == new.request.identifier }
        }
        numberOfAdded += 1
        pending.append(new)
        pending[pending.count - 1].number = numberOfAdded
        sort()
        let count = pending.count - rules.pendingRequestLimit
        guard count > 0 else { return [] }
        // The oldest go, or those that are due last.
        let order = rules.pendingLimitKeepsNewest ? pending.sorted { $0.number < $1.number } : pending.reversed()
        let dropped = order.prefix(count)
        let numbers = Set(dropped.map(\.number))
        pending.removeAll { numbers.contains($0.number) }
        return dropped.map(\.request.identifier)
    }

    /// Removes pending requests.
    ///
    /// - Parameter identifiers: the identifiers of the requests to remove; `nil` means all.
    mutating func removePending(_ identifiers: [String]?) {
        let wanted = identifiers.map(Set.init)
        pending.removeAll { wanted?.contains($0.request.identifier) ?? true }
    }

    /// Removes and returns the due requests; a repeating request is added again with its next date.
    mutating func takeDue(at now: Timestamp, in calendar: TriggerCalendar) -> [UNNotificationRequest] {
        func isDue(_ entry: Pending) -> Bool { entry.due.map { $0 <= now } ?? false }
        let due = pending.filter(isDue)
        pending.removeAll(where: isDue)
        for entry in due {
            guard let trigger = entry.request.trigger, trigger.repeats,
                let next = trigger.nextDate(after: now.date, scheduledAt: entry.addedAt.date, in: calendar)
            else { continue }
            var again = entry
            again.due = Timestamp(next)
            pending.append(again)
        }
        sort()
        return due.map(\.request)
    }

    /// Computes the dates of calendar triggers anew, because the phone has another time zone.
    ///
    /// A trigger with a time zone of its own keeps its date. A trigger for a date that has passed in the new zone fires on its
    /// next date; without a next date it stays pending and does not fire. Apple does not document this.
    mutating func follow(_ calendar: TriggerCalendar, at now: Timestamp) {
        for index in pending.indices {
            guard let trigger = pending[index].request.trigger as? UNCalendarNotificationTrigger else { continue }
            let next = trigger.nextDate(after: now.date, scheduledAt: now.date, in: calendar)
            pending[index].due = next.map(Timestamp.init)
        }
        sort()
    }

    /// Returns the requests that a move of the phone fires, and removes those that do not repeat.
    mutating func takeCrossed(_ move: LocationChange) -> [UNNotificationRequest] {
        func isCrossed(_ entry: Pending) -> Bool { entry.request.trigger.map(move.fires) ?? false }
        let crossed = pending.filter(isCrossed)
        pending.removeAll { isCrossed($0) && !($0.request.trigger?.repeats ?? false) }
        return crossed.map(\.request)
    }

    /// Sorts the requests by due date; requests that wait for a location come last, in the order of addition.
    private mutating func sort() {
        let ordered = pending.enumerated().sorted { left, right in
            switch (left.element.due, right.element.due) {
            case (let one?, let other?): one == other ? left.offset < right.offset : one < other
            case (nil, nil): left.offset < right.offset
            case (let one, _): one != nil
            }
        }
        pending = ordered.map(\.element)
    }

    var nextDue: Timestamp? { pending.first?.due }
}

/// A cache of encoded notifications, for saving them to a file.
///
/// Each notification is encoded once, because it never changes.
struct NotificationArchives {
    private struct Entry {
        /// The notification.
        ///
        /// It is kept because the `ObjectIdentifier` of a released object may be given to another object.
        let notification: UNNotification
        let data: Data
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    init() {}

    /// Returns the encoded data of each notification, in the order of `notifications`.
    ///
    /// Calls `archive` only for a notification that is not yet in this cache. Afterwards the cache contains exactly
    /// `notifications`.
    ///
    /// - Throws: the error of `archive`.
    mutating func data(
        of notifications: [UNNotification], archive: (UNNotification) throws -> Data
    ) rethrows -> [Data] {
        var kept: [ObjectIdentifier: Entry] = [:]
        kept.reserveCapacity(notifications.count)
        let data = try notifications.map { notification in
            let id = ObjectIdentifier(notification)
            let entry = try entries[id] ?? Entry(notification: notification, data: archive(notification))
            kept[id] = entry
            return entry.data
        }
        entries = kept
        return data
    }
}
