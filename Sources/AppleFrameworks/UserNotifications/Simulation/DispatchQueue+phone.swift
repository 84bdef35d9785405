import Dispatch

/// Replaces Dispatch's `queue.async { … }` and similar methods in files that import UserNotifications or UIKit, so that a block
/// knows its simulated phone.
///
/// In the block, and in a task that the block starts, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those
/// of the app whose code has submitted the block. In the block of a `DispatchWorkItem`, they are those of the app whose code
/// has made the work item. Dispatch's own methods would lose the phone, because a block on a queue has no task.
///
/// Swift prefers these methods to Dispatch's because they need no default arguments; therefore each combination of arguments has
/// a separate method.
///
/// Differs from iOS: delays follow the machine's clock, not the phone's.
extension DispatchQueue {
    @preconcurrency public func async(execute work: @escaping @Sendable () -> Void) {
        async(group: nil, qos: .unspecified, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func async(qos: DispatchQoS, execute work: @escaping @Sendable () -> Void) {
        async(group: nil, qos: qos, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func async(flags: DispatchWorkItemFlags, execute work: @escaping @Sendable () -> Void) {
        async(group: nil, qos: .unspecified, flags: flags, execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func async(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, execute work: @escaping @Sendable () -> Void
    ) {
        async(group: nil, qos: qos, flags: flags, execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func async(group: DispatchGroup, execute work: @escaping @Sendable () -> Void) {
        async(group: Optional(group), qos: .unspecified, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func async(
        group: DispatchGroup, qos: DispatchQoS, execute work: @escaping @Sendable () -> Void
    ) {
        async(group: Optional(group), qos: qos, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func async(
        group: DispatchGroup, qos: DispatchQoS, flags: DispatchWorkItemFlags,
        execute work: @escaping @Sendable () -> Void
    ) {
        async(group: Optional(group), qos: qos, flags: flags, execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable () -> Void) {
        asyncAfter(deadline: deadline, qos: .unspecified, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS, execute work: @escaping @Sendable () -> Void
    ) {
        asyncAfter(deadline: deadline, qos: qos, flags: [], execute: SimulatedDevices.asCurrent(work))
    }

    @preconcurrency public func asyncAfter(
        wallDeadline: DispatchWallTime, execute work: @escaping @Sendable () -> Void
    ) {
        asyncAfter(wallDeadline: wallDeadline, qos: .unspecified, flags: [], execute: SimulatedDevices.asCurrent(work))
    }
}
