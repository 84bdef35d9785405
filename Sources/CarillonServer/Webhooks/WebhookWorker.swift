import CarillonCore
import Logging
import ServiceLifecycle

/// Posts the events of feeds to webhooks, in a process that sends.
///
/// It claims a webhook under the number with which the process sends pushes, so the leases of a process that ends are taken over
/// together (``SenderWatch``). Of one webhook, one process makes one request at a time.
struct WebhookWorker: Service {
    let service: ServiceContext
    let store: WebhookCalls
    private let signal = WakeSignal()
    /// The webhooks whose requests are under way, by their numbers, and whether their last attempt has failed.
    private let busy = SharedValue<[Int64: Bool]>([:])

    init(service: ServiceContext, store: WebhookCalls) {
        (self.service, self.store) = (service, store)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                if let wakes = service.publisher.feeds.subscribe() {
                    group.addTask { for await _ in wakes { signal.wake() } }
                }
                signal.wake()
                var timer: ScheduledAction?
                for await _ in signal.wakes {
                    timer?.cancel()
                    let next = await claim(into: &group)
                    timer = service.clock.schedule(at: next) { signal.wake() }
                    // The time may have come during the claim, and a clock that a test advances runs nothing by itself.
                    if service.clock.now >= next { signal.wake() }
                }
                timer?.cancel()
                group.cancelAll()
            }
        }
    }

    /// Claims requests and begins them, until none is left or no place is free.
    ///
    /// - Returns: the time at which to look again without being woken.
    private func claim(into group: inout DiscardingTaskGroup) async -> Timestamp {
        let latest = service.clock.now + ServiceLimits.webhookInterval
        do {
            while let sender = service.sendingAs.withLock({ $0 }), let question = question(of: sender) {
                let claim = try await store.claim(question, at: service.clock.now)
                for request in claim.requests { begin(request, in: &group) }
                guard claim.isMore, !Task.isCancelled else { return min(latest, claim.nextDue ?? latest) }
            }
        } catch is SenderEnded {
            // The process joins under another number soon.
        } catch is CancellationError {
            // The process ends.
        } catch {
            service.repeated.log(
                .error, "webhooks could not be claimed", metadata: ["error": "\(type(of: error))"])
        }
        return latest
    }

    /// Returns the question for as many requests as places are free; `nil` for none.
    private func question(of sender: SenderNumber) -> ClaimingWebhooks.Question? {
        let busy = busy.withLock { $0 }
        let failing = busy.values.count { $0 }
        let most = ServiceLimits.webhookRequests - ServiceLimits.failingWebhookRequests
        let free = (
            healthy: min(most - (busy.count - failing), ServiceLimits.webhooksPerClaim),
            failing: min(ServiceLimits.failingWebhookRequests - failing, ServiceLimits.webhooksPerClaim)
        )
        guard free.healthy > 0 || free.failing > 0 else { return nil }
        return ClaimingWebhooks.Question(sender: sender, busy: busy.keys.sorted(), limits: free)
    }

    private func begin(_ request: ClaimedWebhook, in group: inout DiscardingTaskGroup) {
        let number = request.standing.number
        busy.withLock { $0[number] = request.standing.failures > 0 }
        group.addTask {
            await perform(request)
            busy.withLock { $0[number] = nil }
            signal.wake()
        }
    }

    private func perform(_ claimed: ClaimedWebhook) async {
        let answer = await WebhookRequest(claimed).attempt(
            at: claimed.standing.url, reachesPrivateNetworks: service.configuration.webhooksReachPrivateNetworks,
            service.clock)
        // The process ends. Its lease ends too, and another makes the request again, with an equal id.
        guard !Task.isCancelled else { return }
        let outcome = WebhookPace.outcome(
            of: answer, after: claimed.standing.failures, at: service.clock.now, jitter: service.random.fraction())
        if case .setAside = outcome {
            service.logger.warning(
                "a webhook is set aside, because its endpoint has not taken an event for a day or wants none",
                metadata: [
                    "webhook": "\(claimed.standing.id)", "advice": "carillon webhooks list shows its last answer",
                ])
        }
        await store(outcome, of: claimed)
    }

    /// Stores an outcome, and tries again until the database answers: otherwise the lease would last as long as the process.
    private func store(_ outcome: WebhookPace.Outcome, of claimed: ClaimedWebhook) async {
        while !Task.isCancelled {
            do {
                return try await store.settle(claimed, outcome, at: service.clock.now)
            } catch {
                service.repeated.log(
                    .error, "the outcome of a webhook's request could not be stored",
                    metadata: ["webhook": "\(claimed.standing.id)", "error": "\(type(of: error))"])
            }
            try? await service.clock.sleep(for: ServiceLimits.webhookInterval)
        }
    }
}
