import CarillonCore
import Logging
import ServiceLifecycle

/// Makes, uses and deletes the broadcast channels of Live Activities, in a process that sends.
///
/// It claims a channel under the number with which the process sends pushes, as ``WebhookWorker`` does.
struct ActivityChannelWorker: Service {
    let service: ServiceContext
    let store: ChannelCalls
    let sender: any NotificationSender
    private let signal = WakeSignal()
    /// The numbers of the channels whose requests are under way.
    private let busy = SharedValue<Set<Int64>>([])

    init(service: ServiceContext, store: ChannelCalls, sender: any NotificationSender) {
        (self.service, self.store, self.sender) = (service, store, sender)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                if let wakes = service.publisher.channels.subscribe() {
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

    /// Claims channels and begins their requests, as many as places are free.
    ///
    /// - Returns: the time at which to look again without being woken.
    private func claim(into group: inout DiscardingTaskGroup) async -> Timestamp {
        let latest = service.clock.now + service.configuration.pollInterval
        do {
            let busy = busy.withLock { $0 }
            let free = ServiceLimits.channelRequests - busy.count
            guard free > 0, let sender = service.sendingAs.withLock({ $0 }) else { return latest }
            let claim = try await store.claim(for: sender, busy: busy.sorted(), limit: free, at: service.clock.now)
            for channel in claim.channels { begin(channel, in: &group) }
            return min(latest, claim.nextDue.map { max($0, service.clock.now + .milliseconds(1)) } ?? latest)
        } catch is SenderEnded {
            // The process joins under another number soon.
        } catch is CancellationError {
            // The process ends.
        } catch {
            service.repeated.log(
                .error, "the channels of Live Activities could not be claimed",
                metadata: ["error": "\(type(of: error))"])
        }
        return latest
    }

    private func begin(_ claimed: ClaimedChannel, in group: inout DiscardingTaskGroup) {
        busy.withLock { _ = $0.insert(claimed.number) }
        group.addTask {
            await perform(claimed)
            busy.withLock { _ = $0.remove(claimed.number) }
            signal.wake()
        }
    }

    func perform(_ claimed: ClaimedChannel) async {
        let answer: ChannelAnswer
        if let message = claimed.message {
            answer = await ask(message, "request", claimed)
        } else {
            guard let made = await make(claimed) else { return }
            answer = made
        }
        // The process ends. Its lease ends too, and another makes the request again.
        guard !Task.isCancelled else { return }
        if case .failed(let why, _) = answer {
            service.repeated.log(
                .warning, "a request about the broadcast channel of a Live Activity has failed: it is made again",
                metadata: ["app": "\(claimed.app)", "why": "\(why)"])
        }
        await untilStored { try await store.settle(claimed, answer, jitter: service.random.fraction(), at: $0) }
    }

    /// Makes one request to APNs, and counts it.
    private func ask(_ command: ChannelCommand, _ step: String, _ claimed: ClaimedChannel) async -> ChannelAnswer {
        let answer = await sender.perform(command, id: claimed.id(of: step), for: claimed.app)
        service.metrics.app(claimed.app.topic).count(command, answer)
        return answer
    }

    /// Makes a channel, or finds the one that an earlier request has made without an answer.
    ///
    /// - Returns: the answer; `nil` if the lease has ended.
    private func make(_ claimed: ClaimedChannel) async -> ChannelAnswer? {
        let listing = await ask(.list, "list", claimed)
        guard case .listed(let listed) = listing else {
            // The request to make a channel was not sent, so it cannot have arrived; an earlier one may have.
            if case .failed(let why, _) = listing { return .failed(why, mayHaveArrived: claimed.channel.before != nil) }
            return listing
        }
        var earlier: (found: String?, candidates: [String], isHeld: Bool) = (nil, [], false)
        await untilStored { earlier = try await store.beforeMaking(claimed, listed, at: $0) }
        guard earlier.isHeld, !Task.isCancelled else { return nil }
        if let found = earlier.found { return .made(found) }
        if !earlier.candidates.isEmpty {
            service.logger.error(
                "a channel was made without an answer, and several are new: delete those that nobody uses",
                metadata: [
                    "app": "\(claimed.app)", "channels": "\(earlier.candidates.joined(separator: " "))",
                    "advice": "carillon channels delete",
                ])
        }
        guard claimed.channel.ended == nil else {
            return .failed("the Live Activity has ended", mayHaveArrived: false)
        }
        return await ask(.make, "make", claimed)
    }

    /// Stores something, and tries again until the database answers: otherwise the lease would last as long as the process.
    private func untilStored(_ body: (Timestamp) async throws -> Void) async {
        while !Task.isCancelled {
            do {
                return try await body(service.clock.now)
            } catch {
                service.repeated.log(
                    .error, "the outcome of a request about a channel could not be stored",
                    metadata: ["error": "\(type(of: error))"])
            }
            try? await service.clock.sleep(for: service.configuration.pollInterval)
        }
    }
}
