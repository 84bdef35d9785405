import Dispatch
import Foundation
import Synchronization
import _SystemFoundation

extension NotificationCenter {
    /// Adds an observer whose block runs for the phone whose code adds it, until the app on this phone ends.
    ///
    /// The block is called for notifications posted by this app, or by code outside any phone.
    ///
    /// Swift prefers this method to Foundation's because the parameter `name` is not optional.
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

    /// Posts a notification on behalf of the phone.
    ///
    /// Observers are called in the order in which they were added; Foundation calls them in the order of their addresses.
    @_spi(Simulation) public func postInOrder(name: NSNotification.Name, object: Any?) {
        OrderedPost.run { post(name: name, object: object) }
    }
}

/// The posting of one notification by the phone: collects the observers, and then calls them in the order in which they
/// were added.
private final class OrderedPost: Sendable {
    @TaskLocal private static var current: OrderedPost?
    private static let count = Atomic(0)

    private let calls = Mutex<[(number: Int, call: @Sendable () -> Void)]>([])

    /// Returns the number for a new observer; a posted notification reaches observers in the order of their numbers.
    static func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// Calls an observer: in its order if the phone posts the notification, else immediately.
    ///
    /// - Parameters:
    ///   - number: the observer's number.
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
/// `@unchecked`: Foundation does not check it either.
private struct UncheckedNotification: @unchecked Sendable {
    let value: Notification
}
