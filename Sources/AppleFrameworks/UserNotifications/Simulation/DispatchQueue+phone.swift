import Dispatch

extension DispatchQueue {
    /// What `queue.async { … }` means in a file that imports UserNotifications or UIKit: Dispatch's own method, and the
    /// block goes on belonging to the phone whose code has put it there.
    ///
    /// A block on a queue is in no task, so `current()` and `shared` could not find their phone in it, nor in a task
    /// that it starts. Preferred over Dispatch's method because it needs no default arguments; a call with a group, a
    /// quality of service or flags gets Dispatch's, and finds its phone by turn.
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) {
        guard let device = SimulatedDevices.current else {
            async(group: nil, qos: .unspecified, flags: [], execute: work)
            return
        }
        async(group: nil, qos: .unspecified, flags: []) {
            SimulatedDevices.$taskLocal.withValue(device) { work() }
        }
    }
}
