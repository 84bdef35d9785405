import CarillonCore
import Foundation
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The part of a client that runs a ``Pool`` on one event loop, with all connections and requests.
///
/// The loop performs the pool's decisions and makes none itself. With a single loop, only the send queue and the statistics
/// need a lock. One core encrypts far more notifications a second than APNs accepts from one sender.
///
/// `@unchecked Sendable`: all variable state is used on the event loop only, except for the send queue and the statistics,
/// which have locks.
final class ClientLoop: @unchecked Sendable {
    let eventLoop: any EventLoop
    let clock: any CarillonClock
    let logger: Logger
    private let sendQueue = SendQueue()
    private let published = Mutex(APNsStatistics())

    var connector: Connector
    var pool: Pool
    var signer: TokenSigner
    /// The requests in progress, each at the array index that ``SlotTable/place(of:)`` returns for its id.
    ///
    /// No two requests in progress have an index in common.
    var requests: [PendingSend?] = []
    /// The handlers of the ready connections.
    ///
    /// The handlers are so few that a linear search suffices.
    var handlers: [APNsConnectionHandler] = []
    var channels: [ConnectionID: any Channel] = [:]
    /// The addresses of the connections that have not received the server's SETTINGS yet.
    var addressesOnTrial: [ConnectionID: SocketAddress] = [:]
    var addressOrder = AddressOrder()
    var completions: [(request: PendingSend, result: Result<APNsOutcome, APNsError>)] = []
    private var arrived: [PendingSend] = []
    private var pending: [PoolAction] = []
    private var isPerforming = false
    private var batchReading: ClockReading?
    private var wakeUp: (moment: Timestamp, action: ScheduledAction)?
    var certificateWatch: CertificateExpiryWarning
    var certificateWakeUp: ScheduledAction?
    /// The calls of ``shutDown()`` that wait for the end.
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    init(
        pool: Pool, signer: TokenSigner, connector: Connector, certificate: APNsCertificate?,
        clock: any CarillonClock, logger: Logger
    ) {
        eventLoop = connector.eventLoop
        self.pool = pool
        self.signer = signer
        self.connector = connector
        certificateWatch = CertificateExpiryWarning(certificate)
        self.clock = clock
        self.logger = logger
    }

    // MARK: From any thread. The send queue is closed under its lock, before the event loop ends.

    var statistics: APNsStatistics { published.withLock { $0 } }

    func submit(_ requests: some Collection<PendingSend>) {
        guard !requests.isEmpty else { return }
        let isTaken = sendQueue.append(requests) { eventLoop.execute { self.drainSendQueue() } }
        guard !isTaken else { return }
        for request in requests { request.caller?.complete(request, .failure(.shutDown(sent: false))) }
    }

    func cancel(_ request: PendingSend) {
        executeUnlessClosed { loop in
            request.isCancelled = true
            guard let id = request.id else { return }
            loop.perform { $0 += loop.pool.cancel(id, at: loop.now) }
        }
    }

    /// Cancels all requests in progress that belong to a batch or a list.
    ///
    /// The send queue may still contain further requests of `owner`. The loop cancels these requests when it takes them from the
    /// queue.
    func cancelAll(of owner: some AnyObject & Sendable) {
        executeUnlessClosed { loop in
            for request in loop.requests {
                guard let request, let id = request.id, request.belongs(to: owner) else { continue }
                loop.perform { $0 += loop.pool.cancel(id, at: loop.now) }
            }
        }
    }

    /// Shuts the loop down, and returns when no request is in flight and no connection is open.
    ///
    /// The call waits for no future of the event loop. Another call may end the loop's thread as soon as this one is to go on, and a
    /// future tells nobody after that.
    func shutDown() async {
        await withCheckedContinuation { continuation in
            let isOpen: Void? = sendQueue.unlessClosed {
                eventLoop.execute {
                    // Another call may have shut the loop down since this task was scheduled.
                    guard self.pool.phase != .stopped else { return continuation.resume() }
                    self.waitingForEnd.append(continuation)
                    self.perform { $0 += self.pool.shutDown(at: self.now) }
                }
            }
            if isOpen == nil { continuation.resume() }
        }
    }

    /// Uses a new credential for later requests.
    ///
    /// The loop awaits the answers to earlier requests on the old connections.
    func replaceCredential(_ credential: APNsCredential, tls: NIOSSLContext) {
        executeUnlessClosed { loop in
            let actions = loop.pool.replaceCredential(usesTokens: credential.usesTokens, at: loop.now)
            loop.signer.replaceCredential(credential, generation: loop.pool.credentialGeneration)
            loop.connector.tls = tls
            loop.certificateWatch = CertificateExpiryWarning(credential.certificate)
            loop.perform { $0 += actions }
        }
    }

    func executeUnlessClosed(_ task: @escaping @Sendable (ClientLoop) -> Void) {
        _ = sendQueue.unlessClosed { eventLoop.execute { task(self) } }
    }

    // MARK: Inside

    /// The current clock reading; all events between ``beginBatch()`` and ``endBatch()`` share one reading.
    var now: ClockReading { batchReading ?? ClockReading(clock) }

    /// The present time of the monotonic clock, also during a batch.
    var steadyNow: Timestamp { ClockReading.steady(clock) }

    /// Begins a series of events, such as the frames of one read.
    ///
    /// Frames that are written during the series are flushed by ``endBatch()``.
    func beginBatch() {
        if batchReading == nil { batchReading = ClockReading(clock) }
    }

    func endBatch() {
        batchReading = nil
        settle()
    }

    private func drainSendQueue() {
        sendQueue.takeAll(into: &arrived)
        beginBatch()
        let now = now
        for request in arrived {
            guard !request.isUnwanted else {
                completions.append((request, .failure(.cancelled(sent: false))))
                continue
            }
            request.arrival = now.uptime
            perform { take(request, at: now, into: &$0) }
        }
        arrived.removeAll(keepingCapacity: arrived.capacity < ClientLimits.keptCapacity)
        endBatch()
    }

    private func take(_ request: PendingSend, at now: ClockReading, into actions: inout [PoolAction]) {
        let id = pool.submit(
            byteCount: request.content.byteCount, answerByteLimit: request.content.answerByteLimit,
            deadline: request.deadline, at: now, into: &actions)
        request.id = id
        keep(request, as: id)
    }

    private func keep(_ request: PendingSend, as id: RequestID) {
        let place = SlotTable<PoolRequests.Request>.place(of: id)
        if place < requests.count {
            requests[place] = request
        } else {
            // A new place is always at the end.
            requests.append(request)
        }
    }

    /// Performs the actions that the pool decides on.
    ///
    /// If an action causes further actions, they are appended to the list of pending actions. So all actions are performed in
    /// the order of the decisions.
    func perform(_ decide: (inout [PoolAction]) -> Void) {
        decide(&pending)
        guard !isPerforming else { return }
        isPerforming = true
        var next = 0
        while next < pending.count {
            act(pending[next])
            next += 1
        }
        pending.removeAll(keepingCapacity: pending.capacity < ClientLimits.keptCapacity)
        isPerforming = false
        if batchReading == nil { settle() }
    }

    /// Flushes all connections, and then wakes the callers of the requests that have ended.
    ///
    /// Waking all callers together wakes fewer threads.
    private func settle() {
        for handler in handlers { handler.flushIfNeeded() }
        publish()
        deliver()
        scheduleWakeUp()
    }

    private func deliver() {
        var run = CompletionRun()
        for (request, result) in completions { run.add(request, result) }
        run.end()
        completions.removeAll(keepingCapacity: completions.capacity < ClientLimits.keptCapacity)
    }

    private func publish() {
        let tally = PoolTally(of: pool)
        let uptime = completions.isEmpty ? Duration.zero : clock.uptime
        published.withLock { statistics in
            statistics.take(tally)
            for (request, result) in completions where request.content.isPush {
                statistics.count(result)
                statistics.latency.record(uptime - request.arrival)
            }
        }
    }

    private func scheduleWakeUp() {
        guard let moment = pool.nextDeadline else { return }
        if let wakeUp, wakeUp.moment <= moment { return }
        wakeUp?.action.cancel()
        let wake: @Sendable () -> Void = { self.executeUnlessClosed { $0.woke() } }
        let action = clock.schedule(after: max(.zero, moment - now.steady), wake)
        wakeUp = (moment, action)
        // A `ManualClock` that was advanced meanwhile would run the action only in its next advance.
        if now.steady >= moment {
            action.cancel()
            wake()
        }
    }

    private func woke() {
        wakeUp = nil
        perform { $0 += pool.timePassed(at: now) }
    }

    func stopped() {
        wakeUp?.action.cancel()
        wakeUp = nil
        certificateWakeUp?.cancel()
        certificateWakeUp = nil
        let late = sendQueue.close()
        settle()
        for request in late { request.caller?.complete(request, .failure(.shutDown(sent: false))) }
        for caller in waitingForEnd { caller.resume() }
        waitingForEnd.removeAll()
    }
}
