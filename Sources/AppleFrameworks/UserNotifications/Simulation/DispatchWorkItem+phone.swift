import Dispatch

/// Replaces Dispatch's initializers in files that import UserNotifications or UIKit: the block runs for the simulated phone
/// whose code makes the work item.
///
/// In the block, `current()` and `shared` find this phone. Otherwise the initializers do what Dispatch's own do.
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
    /// Sets the block that handles the source's events; the block runs for the simulated phone whose code sets the block.
    ///
    /// Differs from iOS: a timer source follows the machine's clock, not the phone's.
    public func setEventHandler(handler: @escaping () -> Void) {
        setEventHandler(qos: .unspecified, flags: [], handler: SimulatedDevices.asCurrentUnshared(handler))
    }

    public func setCancelHandler(handler: @escaping () -> Void) {
        setCancelHandler(qos: .unspecified, flags: [], handler: SimulatedDevices.asCurrentUnshared(handler))
    }
}
