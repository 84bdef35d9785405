import CarillonCore
import Logging
import ServiceLifecycle

/// Sends what is due: leases a batch, hands it to APNs, writes down what came of it, and waits for more.
///
/// It is woken when this process accepts something, when something falls due, and every now and then, because another
/// process may have accepted something.
struct DeliveryWorker: Service {
    let service: ServiceContext
    let sender: any NotificationSender

    private var store: any Store { service.store }
    private var clock: any CarillonClock { service.clock }
    private var signal: WakeSignal { service.signal }
    private var logger: Logger { service.logger }

    func run() async throws {
        let released = try await store.releaseLeases(of: service.configuration.workerName)
        if released > 0 { logger.notice("took back leases of a former run", metadata: ["deliveries": "\(released)"]) }
        await withGracefulShutdownHandler {
            var gates = CredentialGates()
            var timer: ScheduledAction?
            signal.wake()
            for await _ in signal.wakes {
                timer?.cancel()
                let next = await work(&gates)
                if Task.isCancelled || Task.isShuttingDownGracefully { break }
                timer = clock.schedule(at: next) { [signal] in signal.wake() }
                // The moment may have passed while the timer was set.
                if clock.now >= next { signal.wake() }
            }
            timer?.cancel()
        } onGracefulShutdown: {
            signal.finish()
        }
    }

    /// Sends until nothing is due.
    /// - Returns: when to look again, if nothing wakes the worker before.
    private func work(_ gates: inout CredentialGates) async -> Timestamp {
        do {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                let examined = try await workOnce(&gates)
                if examined == 0 { break }
            }
            let now = clock.now
            let due = try await store.nextDue(except: gates.closed)
            let poll = now + service.configuration.pollInterval
            return min(due ?? poll, gates.nextProbe ?? poll, poll)
        } catch is CancellationError {
            // Being ended is no failure of the store's.
            return clock.now
        } catch {
            logger.error("the store failed; trying again", metadata: ["error": "\(type(of: error))"])
            return clock.now + ServiceLimits.storeFailureWait
        }
    }

    /// - Returns: how many deliveries were looked at.
    func workOnce(_ gates: inout CredentialGates) async throws -> Int {
        let now = clock.now
        var request = ClaimRequest(
            worker: service.configuration.workerName, limit: ServiceLimits.deliveriesPerClaim,
            leaseUntil: now + service.configuration.leaseDuration, except: gates.closed)
        if let app = gates.appToProbe(at: now) {
            gates.postponeProbe(of: app, at: now)
            request.limit = 1
            request.except.remove(app)
            request.only = app
        }
        let claim = try await store.claim(request, at: now)
        service.publish(claim.events)
        try await DeliveryBatch(worker: self, leaseUntil: request.leaseUntil).send(claim.deliveries, &gates)
        // A probe that found nothing says nothing about the other apps.
        return request.only == nil ? claim.examined : max(claim.examined, 1)
    }

    func apply(_ health: DeliveryRule.CredentialHealth, to app: AppID, _ gates: inout CredentialGates) {
        switch health {
        case .unknown: return
        case .good:
            guard gates.passed(app) else { return }
            logger.notice("APNs accepts the app's credential again", metadata: ["app": "\(app)"])
        case .refused(let reason):
            guard let alarm = gates.refused(app, reason: reason, at: clock.now) else { return }
            logger.critical(
                "APNs refuses the app's credential: its messages wait",
                metadata: ["app": "\(alarm.app)", "reason": "\(alarm.reason)"])
        case .missing(let reason):
            guard let alarm = gates.missing(app, reason: reason, at: clock.now) else { return }
            logger.critical(
                "there is no credential for the app: its messages wait",
                metadata: ["app": "\(alarm.app)", "reason": "\(alarm.reason)"])
        }
        service.health.update(gates.alarms)
    }
}
