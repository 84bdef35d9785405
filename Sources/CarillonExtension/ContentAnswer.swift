import CarillonMessaging
import Foundation
import UserNotifications

/// The extension's one answer to iOS: given when the work is done or its time is over, whichever comes first.
///
/// `@unchecked`: the handler and the content are touched under the lock only, and iOS keeps no hold of either.
final class ContentAnswer: @unchecked Sendable {
    private let lock = NSLock()
    private var handler: ((UNNotificationContent) -> Void)?
    private var content: UNNotificationContent

    init(_ content: UNNotificationContent, handler: @escaping (UNNotificationContent) -> Void) {
        self.content = content
        self.handler = handler
    }

    /// Changes what will be shown; has no effect after ``give()``.
    package func change(_ edit: (UNMutableNotificationContent) -> Void) {
        lock.withLock {
            guard let copy = content.mutableCopy() as? UNMutableNotificationContent else { return }
            edit(copy)
            content = copy
        }
    }

    /// Makes the notification empty, which iOS suppresses if the app has the filtering entitlement.
    func suppress() {
        lock.withLock { content = UNNotificationContent() }
    }

    /// Calls iOS's content handler; further calls have no effect.
    func give() {
        let pending = lock.withLock {
            defer { handler = nil }
            return handler.map { ($0, content) }
        }
        if let (handler, content) = pending { handler(content) }
    }
}
