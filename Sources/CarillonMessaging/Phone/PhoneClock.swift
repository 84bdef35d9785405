#if os(Linux)  // On iOS the clock is `SystemClock`.
    import CarillonCore
    import Foundation
    @_spi(Simulation) import UserNotifications

    /// The simulated phone's clock as a `CarillonClock`.
    final class PhoneClock: CarillonClock {
        private let phone: any SimulatedDevice

        init(phone: any SimulatedDevice) { self.phone = phone }

        var now: Timestamp { Timestamp(phone.now) }
        var uptime: Duration { phone.uptime }

        func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
            let delay = max(0, Double((deadline - now).wholeMilliseconds) / 1000)
            return ScheduledAction(onCancel: phone.schedule(after: delay, action))
        }
    }
#endif
