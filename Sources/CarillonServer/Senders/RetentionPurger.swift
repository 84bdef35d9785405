import CarillonCore
import Logging
import ServiceLifecycle

/// Deletes messages older than the retention, and finishes interrupted erasures of users.
///
/// The purger works in bounded steps, so that sending never waits long for it.
struct RetentionPurger: Service {
    let service: ServiceContext
    let store: UpkeepCalls

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                // Each job runs on its own, so that a failure of one job does not stop the other.
                await attempt("erasures of users could not be finished", finishErasures)
                await attempt("old messages could not be deleted", purge)
                try await service.clock.sleep(for: ServiceLimits.purgeInterval)
            }
        }
    }

    private func finishErasures() async throws {
        let (events, failures) = try await store.finishErasures(at: service.clock.now)
        service.changed(events)
        if let first = failures.first { throw first }
    }

    private func purge() async throws {
        var total = 0
        while !Task.isCancelled {
            let count = try await store.purge(
                before: service.clock.now - service.configuration.retention, limit: ServiceLimits.purgedPerStep)
            total += count
            if count < ServiceLimits.purgedPerStep { break }
        }
        if total > 0 { service.logger.info("deleted old messages", metadata: ["messages": "\(total)"]) }
    }

    private func attempt(_ failure: String, _ job: () async throws -> Void) async {
        do {
            try await job()
        } catch is CancellationError {
            // The service is stopping; its next start continues the job.
        } catch {
            service.logger.error("\(failure)", metadata: ["error": "\(type(of: error))"])
        }
    }
}
