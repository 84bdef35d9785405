/// Replaces two of Swift's `Task.sleep` methods. The replacements also tell the phone that the app waits for real time.
///
/// The compiler prefers these methods to Swift's own in a module that imports UserNotifications or UIKit anywhere. The methods
/// with a deadline, a clock or a tolerance are not replaced.
///
/// Differs from iOS: sleeping follows the machine's clock, not the phone's.
extension Task where Success == Never, Failure == Never {
    public static func sleep(nanoseconds duration: UInt64) async throws {
        // Longer than a clock can count means for ever.
        try await sleep(for: .nanoseconds(Int64(clamping: duration)))
    }

    public static func sleep(for duration: Duration) async throws {
        let waiting = SimulatedDevices.current?.beganWaiting()
        defer { withExtendedLifetime(waiting) {} }
        try await ContinuousClock().sleep(until: .now + duration, tolerance: nil)
    }
}
