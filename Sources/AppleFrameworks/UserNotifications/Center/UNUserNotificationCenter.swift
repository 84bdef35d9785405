import Foundation
import Synchronization

/// The notification center of the app whose code is running.
/// [UNUserNotificationCenter](https://developer.apple.com/documentation/usernotifications/unusernotificationcenter)
///
/// Differs from iOS: completion handlers are called on the main thread, not on a system queue.
open class UNUserNotificationCenter: NSObject {
    // `@unchecked`: `backend` is Sendable and a `let`; the delegate is behind a lock.
    private let backend: any NotificationCenterBackend
    private let weakDelegate = Mutex(WeakDelegate())

    /// A weak reference to the delegate.
    ///
    /// `@unchecked Sendable`: the reference is read and written only under the lock, and the delegate is used on the main thread.
    private struct WeakDelegate: @unchecked Sendable {
        weak var value: (any UNUserNotificationCenterDelegate)?
    }

    @_spi(Simulation) public init(backend: any NotificationCenterBackend) { self.backend = backend }

    /// Returns the center of the running app.
    ///
    /// The app is found through the current task. Outside an app's tasks, it is the app whose code is running on the main
    /// queue, or else the only running app in this program. Outside any app, the call stops the program with an explanation,
    /// because Apple's signature has no error and no `nil`.
    public class func current() -> UNUserNotificationCenter {
        guard let process = SimulatedDevices.currentProcess else {
            SimulatedDevices.stopOutsideOfAnyPhone("UNUserNotificationCenter.current()")
        }
        return process.notificationCenter
    }

    /// The delegate; set it before the app has finished launching, or the tap that launched the app is lost.
    public weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { weakDelegate.withLock { $0.value } }
        set {
            let box = WeakDelegate(value: newValue)
            weakDelegate.withLock { $0 = box }
        }
    }

    public var supportsContentExtensions: Bool { true }

    /// Asks the person for permission at the first call; later calls get the recorded answer.
    @preconcurrency public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        backend.requestAuthorization(options: options, completion: completionHandler)
    }

    /// Replaces all of the app's notification categories.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        backend.setCategories(categories)
    }

    @preconcurrency public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        backend.categories(completion: completionHandler)
    }

    @preconcurrency public func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        backend.settings(completion: completionHandler)
    }

    /// Schedules a notification, and replaces an earlier one with the same identifier.
    @preconcurrency public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        backend.add(request) { completionHandler?($0) }
    }

    @preconcurrency public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        backend.pendingRequests(completion: completionHandler)
    }

    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        backend.removePending(identifiers: identifiers)
    }

    public func removeAllPendingNotificationRequests() { backend.removePending(identifiers: nil) }

    /// Calls the handler with the notifications of this app that the phone still lists.
    @preconcurrency public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        backend.deliveredNotifications(completion: completionHandler)
    }

    /// Removes delivered notifications from the phone's list; the removal happens after the call has returned.
    ///
    /// Identifiers that are not in the list are ignored.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        backend.removeDelivered(identifiers: identifiers)
    }

    public func removeAllDeliveredNotifications() { backend.removeDelivered(identifiers: nil) }

    /// Sets the number on the app's icon.
    ///
    /// - Parameter newBadgeCount: 0 removes the badge; a negative number fails with `UNError.badgeInputInvalid`.
    @available(iOS 16, *)
    @preconcurrency public func setBadgeCount(
        _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        backend.setBadgeCount(newBadgeCount) { completionHandler?($0) }
    }
}
