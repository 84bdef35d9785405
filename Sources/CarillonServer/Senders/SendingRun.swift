import CarillonCore
import Foundation
import Logging
import Synchronization

/// One run of a ``SendingLoop``: performs the loop's actions and reports their outcomes as events.
final class SendingRun: Sendable {
    let service: ServiceContext
    let sender: any NotificationSender
    let events: AsyncStream<SendingEvent>
    private let continuation: AsyncStream<SendingEvent>.Continuation
    /// The time, on the monotonic clock, at which the sender's exclusive right to send its pushes ends (``Lease``).
    ///
    /// The sender checks it right before each hand-over of pushes to APNs.
    let leaseEnd = Mutex(Duration.zero)
    private let otherPlaces = Mutex(OtherPlaces())
    private let alarms = Mutex(UnwrittenAlarms())
    private let timer = Mutex<(moment: Timestamp, action: ScheduledAction)?>(nil)

    private let store: SendingCalls
    var clock: any CarillonClock { service.clock }

    init(service: ServiceContext, store: SendingCalls, sender: any NotificationSender) {
        self.service = service
        self.store = store
        self.sender = sender
        (events, continuation) = AsyncStream.makeStream()
    }

    func tell(_ event: SendingEvent) { continuation.yield(event) }

    /// Starts an action that the ``SendingLoop`` has requested.
    ///
    /// If the action takes time, it runs in a task of the group.
    func begin(_ action: SendingAction, in group: inout DiscardingTaskGroup) {
        switch action {
        case .join: attempt(.joining, in: &group) { .joined(try await self.join()) }
        case .beat(let sender):
            let began = clock.uptime
            attempt(.beating, in: &group) {
                let others = try await self.store.beat(sender)
                self.warn(of: others)
                // The next heartbeat asks again.
                if let apps = try? await self.store.alarms(of: sender) { self.tell(.alarmsKnown(apps)) }
                return .beaten(others, at: began)
            }
        case .release(let other):
            attempt(.releasing, in: &group) { .released(other, try await self.release(other)) }
        case .claim(let request):
            attempt(.claiming, in: &group) {
                .claimed(try await self.store.claim(request, at: self.clock.now), probe: request.only)
            }
        case .send(let deliveries):
            for pushes in handOvers(of: deliveries) { group.addTask { await self.send(pushes) } }
        case .settle(let pushes, let request): group.addTask { await self.settle(pushes, claiming: request) }
        case .tell(let notice): log(notice)
        case .look(let moment): look(at: moment)
        case .finish: break
        }
    }

    private func attempt(
        _ work: SendingWork, in group: inout DiscardingTaskGroup,
        _ body: @escaping @Sendable () async throws -> SendingEvent
    ) {
        group.addTask {
            do {
                self.tell(try await body())
            } catch {
                self.tell(work, failed: error)
            }
        }
    }

    private func tell(_ work: SendingWork, failed error: any Error) {
        switch error {
        case is SenderEnded: tell(.ended)
        case let error as ServiceError where work == .claiming && error.code == .unknownOutcome: tell(.claimUnknown)
        // A cancellation is not a failure of the store.
        case is CancellationError: break
        default: tell(.failed(work, Self.reason(error)))
        }
    }

    /// Returns the description of an error of the service's own, and otherwise the error's type, because another error may
    /// quote a message.
    private static func reason(_ error: any Error) -> String {
        (error as? ServiceError)?.description ?? "\(type(of: error))"
    }

    private func look(at moment: Timestamp) {
        let now = clock.now
        // A timer that is set for an earlier time suffices, because the loop's answer to each event sets the next
        // timer.
        let isSet = timer.withLock { timer in timer.map { $0.moment > now && $0.moment <= moment } ?? false }
        guard !isSet else { return }
        let next = clock.schedule(at: moment) { [weak self] in self?.tell(.woken) }
        timer.withLock { timer in
            timer?.action.cancel()
            timer = (moment, next)
        }
        // The clock may have passed the moment while the timer was being set.
        if clock.now >= moment { tell(.woken) }
    }

    func stopTimer() { timer.withLock { $0?.action.cancel() } }

    // MARK: The store

    private func join() async throws -> JoinedSender {
        let name = SenderName.text(
            Data(service.random.bytes(ServiceLimits.senderNameBytes)), place: sender.place)
        do {
            let joined = try await store.join(name)
            service.health.update(notSending: nil)
            return joined
        } catch {
            service.health.update(notSending: Self.reason(error))
            throw error
        }
    }

    /// Notes the alarms that stand in the store.
    func note(alarms apps: Set<AppID>) { alarms.withLock { $0.known(apps) } }

    /// Stores the alarms that have begun or are over, so that the feeds of apps tell them.
    func keepAlarms(of loop: SendingLoop, in group: inout DiscardingTaskGroup) {
        guard let sender = loop.sender?.number, let change = alarms.withLock({ $0.next(loop.gates) }) else { return }
        group.addTask {
            let written: Void? = try? await self.store.keep(change, of: sender, at: self.clock.now)
            self.alarms.withLock { $0.ended(change, isWritten: written != nil) }
        }
    }

    /// Says that senders of this database send to another APNs than this one, if there are such.
    private func warn(of others: [SenderBeat]) {
        let places = otherPlaces.withLock { $0.observe(others, own: sender.place) }
        service.health.update(otherPlaces: places)
        guard !places.isEmpty else { return }
        service.repeated.log(
            .critical, "another sender of this database sends to another APNs: each sends a part of the messages",
            metadata: [
                "own": "\(sender.place ?? "")", "other": "\(places.sorted().joined(separator: "; "))",
                "advice": "end the process that sends to the wrong one",
            ])
    }

    private func release(_ other: SenderBeat) async throws -> SenderRelease {
        try await store.release(
            other.sender, ifStillAt: other.isDead ? nil : other.beat, limit: ServiceLimits.releasedPerStep,
            at: clock.now)
    }

    private func settle(_ pushes: [SentPush], claiming request: ClaimRequest?) async {
        do {
            let rules = SendingRules(assuredWait: service.configuration.assuredWait)
            let claim = try await store.settle(pushes, rules, claiming: request, at: clock.now)
            logUnanswered(pushes)
            logUnknownTokens(pushes)
            tell(.settled(pushes))
            if let request, let claim { tell(.claimed(claim, probe: request.only)) }
        } catch {
            tell(.unsettled(pushes, Self.reason(error)))
            if request != nil { tell(.claiming, failed: error) }
        }
    }

    /// Ends all leases of the sender (``Lease``), so that other senders can send its pushes at once.
    func leave(_ sender: JoinedSender) async {
        var isDone = false
        while !isDone {
            let release = try? await store.release(
                sender.number, ifStillAt: nil, limit: ServiceLimits.releasedPerStep, at: clock.now)
            isDone = release?.isDone ?? true
        }
    }

    // MARK: Log lines for operators

    private func logUnanswered(_ pushes: [SentPush]) {
        let reasons = pushes.compactMap { push -> String? in
            if case .unanswered(let why) = push.outcome { why } else { nil }
        }
        guard let why = reasons.first else { return }
        service.repeated.log(
            .warning, "APNs did not answer, and these pushes may have arrived: they are sent again, and counted",
            metadata: ["pushes": "\(reasons.count)", "why": "\(why)"])
    }

    /// Logs new installations that the service deletes because APNs does not know their token.
    ///
    /// The function raises no alarm, because an alarm comes with a stop of the app's sending. Anybody could cause that stop by
    /// registering invented tokens.
    private func logUnknownTokens(_ pushes: [SentPush]) {
        let unknown = pushes.filter { $0.purpose == .tokenCheck && $0.outcome.rejectsToken }
        guard let first = unknown.first, let reason = first.rejection?.reason else { return }
        service.metrics.count(unknownTokens: unknown.count)
        guard let count = service.unknownTokens.count(unknown.count, at: clock.uptime) else { return }
        service.logger.warning(
            "APNs does not know the tokens of new installations: they are deleted, and may register again",
            metadata: [
                "installations": "\(count)", "app": "\(first.app)", "reason": "\(reason)",
                "advice": "if these are phones, look at --apns (production or sandbox), the topic and the key's team",
            ])
    }

    private func warn(_ message: Logger.Message) { service.repeated.log(.warning, message, metadata: [:]) }

    private func log(_ notice: SendingNotice) {
        let logger = service.logger
        switch notice {
        case .cannotSend(let alarm):
            logger.critical(
                "nothing of the app can be sent: its messages wait",
                metadata: [
                    "app": "\(alarm.app)", "reason": "\(alarm.trouble.reason)", "advice": "\(alarm.trouble.advice)",
                ])
        case .sendsAgain(let alarm):
            logger.notice(
                "the app's messages are sent again",
                metadata: ["app": "\(alarm.app)", "waited_since": "\(alarm.since)"])
        case .nothingWaits(let alarm):
            logger.notice(
                "the app's alarm is over, because nothing of it waits any more",
                metadata: ["app": "\(alarm.app)", "reason": "\(alarm.trouble.reason)"])
        case .tookOver(let leases):
            logger.notice("took over the leases of a sender that is gone", metadata: ["leases": "\(leases)"])
        case .wasTakenOver:
            warn("another sender took this one's leases over: its heartbeat stood still for a lease")
        case .claimUnknown:
            warn(
                "the database was lost while pushes were leased: this sender goes on under a new number, and what it may hold is taken over after a lease"
            )
        case .storeFailed(let work, let error):
            service.repeated.log(
                .error, "the store failed; trying again", metadata: ["at": "\(work)", "error": "\(error)"])
        case .leftUnanswered(let pushes):
            logger.warning(
                "this sender ends before APNs has answered these pushes: they are sent again, and counted",
                metadata: ["pushes": "\(pushes)"])
        case .gaveUp(let outcomes):
            logger.error(
                "this sender ends, and its store takes no outcomes: others send these pushes again",
                metadata: ["outcomes": "\(outcomes)"])
        }
    }
}
