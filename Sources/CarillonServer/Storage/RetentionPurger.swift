import CarillonCore
import Logging
import ServiceLifecycle

/// Deletes what is older than the retention, in bounded steps, so that sending never waits long for it.
struct RetentionPurger: Service {
    /// How often it looks.
    static let interval = Duration.seconds(3600)

    let store: any Store
    let retention: Duration
    let clock: any CarillonClock
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await purge()
                try await clock.sleep(for: Self.interval)
            }
        }
    }

    private func purge() async {
        do {
            var total = 0
            while !Task.isCancelled {
                let count = try await store.purge(
                    before: clock.now - retention, limit: ServiceLimits.purgedPerStep)
                total += count
                if count < ServiceLimits.purgedPerStep { break }
            }
            if total > 0 { logger.info("deleted old messages", metadata: ["messages": "\(total)"]) }
        } catch {
            logger.error("old messages could not be deleted", metadata: ["error": "\(type(of: error))"])
        }
    }
}
