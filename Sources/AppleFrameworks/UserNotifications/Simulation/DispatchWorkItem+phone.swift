import Dispatch

/// Replaces Dispatch's initializers in files that import UserNotifications or UIKit, so that a work item's block knows its
/// simulated phone.
///
/// In the block, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those of the app whose code has made the
/// work item. In all other respects the initializers do what Dispatch's own do.
extension DispatchWorkItem {
    public convenience init(block: @escaping () -> Void) {
        self.init(qos: .unspecified, flags: [], block: SimulatedDevices.asCurrentUnshared(block))
    }

    public convenience init(qos: DispatchQoS, block: @escaping () -> Void) {
        self.init(qos: qos, flags: [], block: SimulatedDevices.asCurrentUnshared(block))
    }

    public convenience init(flags: DispatchWorkItemFlags, block: @escaping () -> Void) {
        self.init(qos: .unspecified, flags: flags, block: SimulatedDevices.asCurrentUnshared(block))
    }
}

extension DispatchGroup {
    @preconcurrency public func notify(queue: DispatchQueue, execute work: @escaping @Sendable () -> Void) {
        notify(qos: .unspecified, flags: [], queue: queue, execute: SimulatedDevices.asCurrent(work))
    }
}

extension DispatchSourceProtocol {
    /// Sets the block that handles the source's events.
    ///
    /// In the block, `UNUserNotificationCenter.current()` and `UIApplication.shared` are those of the app whose code has called
    /// this method.
    ///
    /// Differs from iOS: a timer source follows the machine's clock, not the phone's.
    public func setEventHandler(handler: @escaping () -> Void) {
        setEventHandler(qos: .unspecified, flags: [], handler: SimulatedDevices.asCurrentUnshared(handler))
    }

    public func setCancelHandler(handler: @escaping () -> Void) {
        setCancelHandler(qos: .unspecified, flags: [], handler: SimulatedDevices.asCurrentUnshared(handler))
    }
}
