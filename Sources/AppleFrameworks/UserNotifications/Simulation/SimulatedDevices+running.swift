import Foundation
import _SystemFoundation

/// Binds blocks to the app whose code submits them: in a block, `UNUserNotificationCenter.current()` and `UIApplication.shared`
/// are that app's.
extension SimulatedDevices {
    /// Runs a callback of an app; in the callback, `UNUserNotificationCenter.current()` and `UIApplication.shared` are this
    /// app's.
    ///
    /// Also reports if the callback adds a timer to a run loop of Foundation, where the timer never fires.
    @_spi(Simulation) public static func run(as device: any SimulatedDevice, _ work: () -> Void) {
        let before = NativeTimers.next
        $taskLocal.withValue(device, operation: work)
        if NativeTimers.next.hasGained(since: before) { device.hasLostTimer() }
    }

    /// Returns a block that runs `work` with the present value of ``current``; returns `work` itself if this value is `nil`.
    static func asCurrent(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let device = current else { return work }
        let waiting = device.beganWaiting()
        return { withExtendedLifetime(waiting) { run(as: device, work) } }
    }

    /// Returns a block that runs `work` with the present value of ``current``; returns `work` itself if this value is `nil`.
    ///
    /// Use it for Dispatch methods whose block need not be `@Sendable`.
    static func asCurrentUnshared(_ work: @escaping () -> Void) -> () -> Void {
        guard let device = current else { return work }
        return { run(as: device, work) }
    }
}
