import CarillonCore
import Logging
import ServiceLifecycle

/// Deletes old messages, Live Activities, devices and events of feeds and the rows of removed apps, and finishes interrupted erasures of users.
///
/// Messages are old after ``ServiceConfiguration/retention``. A device is old if, for that time, it has made no request and
/// nothing could be sent to it. The purger works in bounded steps, so that sending never waits long for it. Its jobs run side by
/// side, so that a job that cannot finish does not delay the others.
struct RetentionPurger: Service {
    let service: ServiceContext
    let store: UpkeepCalls

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                for job in jobs { group.addTask { await carryOut(job) } }
            }
        }
    }

    /// A part of the work, done now and after each interval.
    struct Job: Sendable {
        /// The line in the log when the job fails.
        let failure: String
        var interval = ServiceLimits.purgeInterval
        let run: @Sendable () async throws -> Void
    }

    var jobs: [Job] {
        [
            Job(failure: "erasures of users could not be finished", run: finishErasures),
            Job(failure: "old messages could not be deleted", run: purge),
            Job(failure: "devices retired long ago could not be deleted", run: purgeDevices),
            Job(failure: "old Live Activities could not be deleted", run: purgeActivities),
            Job(failure: "old figures could not be deleted", run: purgeFigures),
            Job(failure: "old events of feeds could not be deleted", run: purgeFeeds),
            Job(
                failure: "the rows of removed apps could not be deleted", interval: ServiceLimits.removedAppInterval,
                run: deleteRemovedApps),
        ]
    }

    private func carryOut(_ job: Job) async {
        while !Task.isCancelled {
            await attempt(job)
            do { try await service.clock.sleep(for: job.interval) } catch { return }
        }
    }

    private func deleteRemovedApps() async throws {
        // Ignores a store that does not answer; the other parts of the service report that.
        for app in (try? await store.removedApps()) ?? []
        where try await store.delete(app, at: service.clock.now) {
            service.logger.notice("everything of a removed app is deleted", metadata: ["app": "\(app.topic)"])
        }
    }

    private func finishErasures() async throws {
        let failures = try await store.finishErasures(at: service.clock.now)
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

    private func purgeDevices() async throws {
        let now = service.clock.now
        let count = try await store.purgeDevices(before: now - service.configuration.retention, at: now)
        if count > 0 {
            service.logger.info("deleted devices to which nothing can be sent", metadata: ["devices": "\(count)"])
        }
    }

    private func purgeActivities() async throws {
        try await store.purgeActivities(before: service.clock.now - service.configuration.retention)
    }

    private func purgeFigures() async throws { try await store.purgeFigures(at: service.clock.now) }

    private func purgeFeeds() async throws {
        let now = service.clock.now
        let count = try await store.purgeFeeds(before: now - StoreLimits.feedKept, at: now)
        if count > 0 { service.logger.info("deleted old events of feeds", metadata: ["rows": "\(count)"]) }
    }

    private func attempt(_ job: Job) async {
        do {
            try await job.run()
        } catch is CancellationError {
            // The service is stopping; its next start continues the job.
        } catch {
            service.repeated.log(.error, "\(job.failure)", metadata: ["error": "\(type(of: error))"])
        }
    }
}
