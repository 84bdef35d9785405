import UserNotifications

/// A group in the notification center: the notifications of one thread, or one without a thread.
public struct NotificationGroup: Sendable {
    /// The `threadIdentifier` that they share; empty for a notification without one.
    public let threadIdentifier: String
    /// The newest, which is seen, first.
    public let notifications: [UNNotification]

    /// - Parameter notifications: newest first.
    /// - Returns: the group with the newest first.
    static func groups(of notifications: [UNNotification]) -> [NotificationGroup] {
        var order: [String] = []
        var members: [String: [UNNotification]] = [:]
        for notification in notifications {
            let thread = notification.request.content.threadIdentifier
            // Without a thread each is a group of its own.
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
