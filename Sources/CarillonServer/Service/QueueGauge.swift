import CarillonCore
import Synchronization

/// Reads the queues from the store for metrics, at most once in each ``ServiceLimits/queueReadingAge``.
final class QueueGauge: Sendable {
    private let probe: StoreProbe<StoreReading>
    private let clock: any CarillonClock
    private let last = Mutex<(at: Duration, reading: StoreReading)?>(nil)

    init(clock: any CarillonClock) {
        self.clock = clock
        probe = StoreProbe(clock: clock)
    }

    /// Returns the state of the queues; `nil` if the store does not answer soon.
    func reading(_ look: @escaping @Sendable () async throws -> StoreReading) async -> StoreReading? {
        let uptime = clock.uptime
        if let known = last.withLock({ $0 }), uptime - known.at < ServiceLimits.queueReadingAge { return known.reading }
        guard let reading = await probe.health(look) else { return nil }
        last.withLock { $0 = (uptime, reading) }
        return reading
    }
}
