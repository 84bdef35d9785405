import CarillonCore
import Foundation

/// A new day on the phone's clock, in its time zone.
extension DeviceState {
    /// Calls `announce` at every midnight from now on, except while the phone is off.
    func awaitMidnight(_ announce: @escaping @MainActor @Sendable () -> Void) {
        midnightTimer?.cancel()
        midnightTimer = kernel.schedule(at: Self.midnight(after: kernel.now, in: timeZone)) { [weak self] in
            guard let self else { return }
            if isPoweredOn { announce() }
            awaitMidnight(announce)
        }
    }

    /// Returns the start of the next day.
    ///
    /// A calendar could compute it too, but costs more than the rest of booting.
    static func midnight(after now: Timestamp, in zone: TimeZone) -> Timestamp {
        let seconds = now.date.timeIntervalSince1970
        let offset = TimeInterval(zone.secondsFromGMT(for: now.date))
        let day = (((seconds + offset) / 86_400).rounded(.down) + 1) * 86_400
        let guess = Date(timeIntervalSince1970: day - offset)
        // Clocks may be put forward or back before then.
        return Timestamp(Date(timeIntervalSince1970: day - TimeInterval(zone.secondsFromGMT(for: guess))))
    }
}
