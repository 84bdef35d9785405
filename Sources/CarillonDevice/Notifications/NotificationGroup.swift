import UserNotifications

/// A group in the notification center: the app's notifications of one thread, or all its notifications without a thread.
///
/// This is the setting Automatic under Notification Grouping, the default of an iPhone:
/// [WWDC 2018, session 710](https://developer.apple.com/videos/play/wwdc2018/710/).
public struct NotificationGroup: Sendable {
    /// The `threadIdentifier` that the notifications share; empty for notifications without a thread.
    public let threadIdentifier: String
    /// The group's notifications, newest first; the newest is the visible one.
    public let notifications: [UNNotification]

    /// Groups an app's notifications by thread.
    ///
    /// - Parameter notifications: the notifications, newest first.
    /// - Returns: the groups; the group that has the newest notification comes first.
    static func groups(of notifications: [UNNotification]) -> [NotificationGroup] {
        var order: [String] = []
        var members: [String: [UNNotification]] = [:]
        for notification in notifications {
            let thread = notification.request.content.threadIdentifier
            if members[thread] == nil { order.append(thread) }
            members[thread, default: []].append(notification)
        }
        return order.map { NotificationGroup(threadIdentifier: $0, notifications: members[$0, default: []]) }
    }
}
