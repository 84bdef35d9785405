import Dispatch
import Foundation
import Synchronization
import _SystemFoundation

extension NotificationCenter {
    /// Adds an observer whose block runs as code of the calling app.
    ///
    /// In the block, `UNUserNotificationCenter.current()` and `UIApplication.shared` are this app's. The block is called for
    /// notifications posted by the calling app, or by code outside any phone. It is no longer called after the app has ended.
    ///
    /// Swift prefers this method to Foundation's because the parameter `name` is not optional.
    ///
    /// Differs from iOS: an observer of every name (`forName: nil`) is called for all phones' notifications, and posting does not
    /// wait for an observer on another queue.
    @preconcurrency @discardableResult
    public func addObserver(
        forName name: NSNotification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        guard let process = SimulatedDevices.currentProcess else {
            return addObserver(forName: Optional(name), object: object, queue: queue, using: block)
        }
        let number = OrderedPost.nextNumber()
        // The queue is left out, because only the posting thread knows the posting app.
        return addObserver(forName: Optional(name), object: object, queue: nil) { [weak process] notification in
            guard let process, SimulatedDevices.isRunning(process) else { return }
            if let poster = SimulatedDevices.taskLocal, poster !== process { return }
            let notification = UncheckedNotification(value: notification)
            let call: @Sendable () -> Void = { SimulatedDevices.run(as: process) { block(notification.value) } }
            OrderedPost.reached(number) {
                guard let queue, !(queue.underlyingQueue === DispatchQueue.main && SimulatedDevices.isOnMainQueue)
                else { return call() }
                queue.systemAddOperation(call)
            }
        }
    }

    /// Posts a notification on behalf of the phone.
    ///
    /// Observers are called in the order in which they were added; Foundation calls them in the order of their addresses.
    @_spi(Simulation) public func postInOrder(
        name: NSNotification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil
    ) { OrderedPost.run { post(name: name, object: object, userInfo: userInfo) } }
}

/// The posting of one notification by the phone: collects the observers, and then calls them in the order in which they
/// were added.
private final class OrderedPost: Sendable {
    @TaskLocal private static var current: OrderedPost?
    private static let count = Atomic(0)

    private let calls = Mutex<[(number: Int, call: @Sendable () -> Void)]>([])

    /// Returns the number for a new observer; a posted notification reaches observers in the order of their numbers.
    static func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// Calls an observer that Foundation has found for a posted notification.
    ///
    /// If the phone has posted the notification (``run(_:)``), the call is made after Foundation has found all observers, in the
    /// order of their numbers. Otherwise the call is made immediately.
    ///
    /// - Parameters:
    ///   - number: the observer's number, from ``nextNumber()``.
    ///   - call: calls the observer's block.
    static func reached(_ number: Int, _ call: @escaping @Sendable () -> Void) {
        guard let current else { return call() }
        current.calls.withLock { $0.append((number, call)) }
    }

    static func run(_ post: () -> Void) {
        let new = OrderedPost()
        $current.withValue(new, operation: post)
        for (_, call) in new.calls.withLock({ $0 }).sorted(by: { $0.number < $1.number }) { call() }
    }
}

/// A notification that is passed on to the queue of an observer.
///
/// `@unchecked`: Foundation, too, passes a notification to the queue although `Notification` is not Sendable.
private struct UncheckedNotification: @unchecked Sendable {
    let value: Notification
}
