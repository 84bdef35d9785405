import Foundation
import _SystemFoundation

/// Binds an app's blocks to the phone whose code submits them, so that `current()` and `shared` find that phone in a block.
extension SimulatedDevices {
    /// Runs a callback of an app so that `current()` and `shared` find this app.
    ///
    /// Also reports if the callback adds a timer to a run loop of Foundation, where the timer never fires.
    @_spi(Simulation) public static func run(as device: any SimulatedDevice, _ work: () -> Void) {
        let before = NativeTimers.next
        $taskLocal.withValue(device, operation: work)
        if NativeTimers.next.hasGained(since: before) { device.hasLostTimer() }
    }

    /// Returns a block that runs `work` for the current phone; outside any phone, returns `work` itself.
    static func asCurrent(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let device = current else { return work }
        let waiting = device.beganWaiting()
        return { withExtendedLifetime(waiting) { run(as: device, work) } }
    }

    /// Returns a block that runs `work` for the current phone, for Dispatch methods whose block need not be `@Sendable`.
    static func asCurrentUnshared(_ work: @escaping () -> Void) -> () -> Void {
        guard let device = current else { return work }
        return { run(as: device, work) }
    }
}
