import Foundation
import UserNotifications

/// Remembers what the notifications of the list say, so that a list that has hardly changed is not read anew.
///
/// It goes by the object, which it keeps: where the system makes new ones for each reading, nothing is found here, and all
/// is as without it.
///
/// `@unchecked`: everything is touched under the lock only.
final class DeliveredMemory: @unchecked Sendable {
    private let lock = NSLock()
    private var known: [ObjectIdentifier: (object: UNNotification, value: DeliveredNotification)] = [:]

    /// - Parameter notifications: the whole list; what is not in it is forgotten.
    /// - Returns: what they say, in their order.
    package func read(_ notifications: [UNNotification]) -> [DeliveredNotification] {
        lock.withLock {
            var isAnyNew = known.count != notifications.count
            let values = notifications.map { object in
                if let known = known[ObjectIdentifier(object)] { return known.value }
                isAnyNew = true
                return DeliveredNotification(object)
            }
            if isAnyNew {
                known = Dictionary(
                    zip(notifications, values).map { (ObjectIdentifier($0), ($0, $1)) }, uniquingKeysWith: { $1 })
            }
            return values
        }
    }
}
