import Foundation
import _SystemFoundation

/// Binds an app's blocks to the phone whose code submits them, so that `current()` and `shared` find that phone in a block.
extension SimulatedDevices {
    /// Runs a callback of an app in the app's context, and reports a timer that the callback adds to a run loop that nothing
    /// runs.
    @_spi(Simulation) public static func run(as device: any SimulatedDevice, _ work: () -> Void) {
        let before = NativeTimers.next
        $taskLocal.withValue(device, operation: work)
        if NativeTimers.next.hasGained(since: before) { device.hasLostTimer() }
    }

    /// Returns the block, bound to the current phone; outside any phone, the block itself.
    static func asCurrent(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let device = current else { return work }
        let waiting = device.beganWaiting()
        return { withExtendedLifetime(waiting) { run(as: device, work) } }
    }

    /// Returns the block, bound to the current phone, for a Dispatch method that does not require it to be `@Sendable`.
    static func asCurrentUnshared(_ work: @escaping () -> Void) -> () -> Void {
        guard let device = current else { return work }
        return { run(as: device, work) }
    }
}
