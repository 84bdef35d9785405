/// What a sleeping task means in a module that imports UserNotifications or UIKit anywhere: Swift's own, and the phone knows
/// that something of the app waits for real time.
///
/// Any module's are preferred to Swift's. `sleep(until:)`, and what names a clock or a tolerance, are Swift's.
///
/// Differs from iOS: it goes by the machine's clock, not by the phone's.
extension Task where Success == Never, Failure == Never {
    public static func sleep(nanoseconds duration: UInt64) async throws {
        // More than a clock can count is for ever.
        try await sleep(for: .nanoseconds(Int64(clamping: duration)))
    }

    public static func sleep(for duration: Duration) async throws {
        let waiting = SimulatedDevices.current?.beganWaiting()
        defer { withExtendedLifetime(waiting) {} }
        try await ContinuousClock().sleep(until: .now + duration, tolerance: nil)
    }
}
