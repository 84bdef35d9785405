import Foundation
import UserNotifications

/// The extension's one answer: whoever comes first gives it, the work or the end of its time.
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

    /// Changes what will be shown. Nothing happens after ``give()``.
    func change(_ edit: (UNMutableNotificationContent) -> Void) {
        lock.withLock {
            guard let copy = content.mutableCopy() as? UNMutableNotificationContent else { return }
            edit(copy)
            content = copy
        }
    }

    /// Shows an empty notification, which iOS suppresses if the app is entitled to that.
    func suppress() {
        lock.withLock { content = UNNotificationContent() }
    }

    /// Hands the content over, the first time.
    func give() {
        let pending = lock.withLock {
            defer { handler = nil }
            return handler.map { ($0, content) }
        }
        if let (handler, content) = pending { handler(content) }
    }
}
