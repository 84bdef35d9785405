import Foundation
@_spi(Simulation) import UserNotifications

/// The archives of notifications for a file; each notification is archived once, since it never changes.
struct NotificationArchives {
    private struct Entry {
        /// The notification, kept so that no other object gets its identifier.
        let notification: UNNotification
        let data: Data
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    init() {}

    /// Returns the archives of `notifications` in their order, and forgets all others.
    ///
    /// - Throws: the error of `archive` for a notification that is new here.
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
