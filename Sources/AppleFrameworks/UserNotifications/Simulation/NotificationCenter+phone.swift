import Dispatch
import Foundation
import Synchronization
import _SystemFoundation

extension NotificationCenter {
    /// Adds an observer whose block runs in the context of the phone that registered it, until the phone's app ends.
    ///
    /// The block is called for notifications posted by that phone's app, or by code that belongs to no phone.
    ///
    /// Swift prefers this to Foundation's method because the name is not optional.
    ///
    /// Differs from iOS: observers of every name (`forName: nil`) are called for all phones' notifications, and posting does
    /// not wait for an observer on another queue.
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

    /// Posts a notification of the phone.
    ///
    /// Observers are called in the order in which they were added; Foundation calls them in the order of their addresses.
    @_spi(Simulation) public func postInOrder(name: NSNotification.Name, object: Any?) {
        OrderedPost.run { post(name: name, object: object) }
    }
}

/// A notification that the phone is posting: collects the reached observers, and calls them in order.
private final class OrderedPost: Sendable {
    @TaskLocal private static var current: OrderedPost?
    private static let count = Atomic(0)

    private let calls = Mutex<[(number: Int, call: @Sendable () -> Void)]>([])

    /// Returns the number of a new observer; a posted notification reaches observers in the order of their numbers.
    static func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// Calls an observer after all observers of the notification are known; immediately if the phone did not post the
    /// notification.
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

/// A notification that is passed to another queue, as by Foundation.
///
/// `@unchecked`: Foundation does not check it either.
private struct UncheckedNotification: @unchecked Sendable {
    let value: Notification
}
