import CarillonCore
import Foundation

/// A new day on the phone's clock, in the time zone of the process.
extension Phone {
    /// Tells apps at the next midnight, and goes on so from day to day.
    func awaitMidnight() {
        midnightTimer?.cancel()
        midnightTimer = clock.schedule(at: Self.midnight(after: clock.now, in: .current)) { [mailbox] in
            mailbox.post { phone in
                if phone.isPoweredOn { phone.announceSignificantTimeChange() }
                phone.awaitMidnight()
            }
        }
    }

    /// When the next day begins.
    ///
    /// A calendar could say it too, but costs more than everything else about booting.
    static func midnight(after now: Timestamp, in zone: TimeZone) -> Timestamp {
        let seconds = now.date.timeIntervalSince1970
        let offset = TimeInterval(zone.secondsFromGMT(for: now.date))
        let day = (((seconds + offset) / 86_400).rounded(.down) + 1) * 86_400
        let guess = Date(timeIntervalSince1970: day - offset)
        // Clocks may be put forward or back before then.
        return Timestamp(Date(timeIntervalSince1970: day - TimeInterval(zone.secondsFromGMT(for: guess))))
    }
}
