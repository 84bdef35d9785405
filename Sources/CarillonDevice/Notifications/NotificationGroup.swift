import UserNotifications

/// A group in the notification center: the notifications of one thread, or a single notification without a thread.
public struct NotificationGroup: Sendable {
    /// The `threadIdentifier` that the notifications share; empty for a notification without a thread.
    public let threadIdentifier: String
    /// The group's notifications, newest first; the newest is the visible one.
    public let notifications: [UNNotification]

    /// Groups notifications by thread.
    ///
    /// - Parameter notifications: the notifications, newest first.
    /// - Returns: the groups; the group that has the newest notification comes first.
    static func groups(of notifications: [UNNotification]) -> [NotificationGroup] {
        var order: [String] = []
        var members: [String: [UNNotification]] = [:]
        for notification in notifications {
            let thread = notification.request.content.threadIdentifier
            // A notification without a thread is a group of its own.
            let key = thread.isEmpty ? "\u{0}\(order.count)" : thread
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(notification)
        }
        return order.compactMap { key in
            members[key].map { group in
                NotificationGroup(
                    threadIdentifier: group.first?.request.content.threadIdentifier ?? "", notifications: group)
            }
        }
    }
}
