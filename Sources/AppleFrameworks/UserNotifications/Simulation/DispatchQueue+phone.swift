import Dispatch

extension DispatchQueue {
    /// What `queue.async { … }` means in a file that imports UserNotifications or UIKit: Dispatch's own method, and the
    /// block goes on belonging to the phone whose code has put it there.
    ///
    /// A block on a queue is in no task, so `current()` and `shared` could not find their phone in it, nor in a task
    /// that it starts. Preferred over Dispatch's method because it needs no default arguments; a call with a group, a
    /// quality of service or flags gets Dispatch's, and finds its phone by turn.
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) {
        async(group: nil, qos: .unspecified, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    /// The same for `queue.asyncAfter(deadline:) { … }`, which waits on the machine's clock.
    @preconcurrency public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
        asyncAfter(deadline: deadline, qos: .unspecified, flags: [], execute: SimulatedDevices.asCurrent(work))
    }
}

extension SimulatedDevices {
    /// The block, as the phone whose code is running now.
    fileprivate static func asCurrent(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let device = current else { return work }
        return { $taskLocal.withValue(device) { work() } }
    }
}
