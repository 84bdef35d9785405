import CarillonCore
import Logging
import ServiceLifecycle

/// Deletes messages older than the retention.
///
/// It works in bounded steps, so that sending never waits long for it.
struct RetentionPurger: Service {
    let service: ServiceContext
    let store: UpkeepCalls

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await purge()
                try await service.clock.sleep(for: ServiceLimits.purgeInterval)
            }
        }
    }

    private func purge() async {
        do {
            service.changed(try await store.finishErasures(at: service.clock.now))
            var total = 0
            while !Task.isCancelled {
                let count = try await store.purge(
                    before: service.clock.now - service.configuration.retention, limit: ServiceLimits.purgedPerStep)
                total += count
                if count < ServiceLimits.purgedPerStep { break }
            }
            if total > 0 { service.logger.info("deleted old messages", metadata: ["messages": "\(total)"]) }
        } catch is CancellationError {
            // The service is stopping; its next start continues the purge.
        } catch {
            service.logger.error("old messages could not be deleted", metadata: ["error": "\(type(of: error))"])
        }
    }
}
