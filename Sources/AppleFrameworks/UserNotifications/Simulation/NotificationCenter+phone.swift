import Dispatch
import Foundation
import _SystemFoundation

extension NotificationCenter {
    /// The block is called as the phone whose code has asked for it, for what its own app posts or what nobody's does, and no
    /// more once its app has ended.
    ///
    /// Preferred over Foundation's method because the name is not optional.
    ///
    /// Differs from iOS: observers of every name (`forName: nil`) are called for all phones' notifications, and who posts
    /// does not wait for an observer on another queue.
    @preconcurrency @discardableResult
    public func addObserver(
        forName name: NSNotification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        guard let process = SimulatedDevices.currentProcess else {
            return addObserver(forName: Optional(name), object: object, queue: queue, using: block)
        }
        // Without the queue, as only here it is known who has posted.
        return addObserver(forName: Optional(name), object: object, queue: nil) { [weak process] notification in
            guard let process, SimulatedDevices.isRunning(process) else { return }
            if let poster = SimulatedDevices.taskLocal, poster !== process { return }
            let notification = UncheckedNotification(value: notification)
            let call: @Sendable () -> Void = { SimulatedDevices.run(as: process) { block(notification.value) } }
            guard let queue, !(queue.underlyingQueue === DispatchQueue.main && SimulatedDevices.isOnMainQueue) else {
                return call()
            }
            queue.systemAddOperation(call)
        }
    }
}

/// Handed to another queue exactly as Foundation hands it there.
/// `@unchecked`, since Foundation does not check it either.
private struct UncheckedNotification: @unchecked Sendable {
    let value: Notification
}
