import CarillonCore
import Foundation
import Logging
import NIOCore
import NIOHPACK
import NIOSSL
import Synchronization

/// The shell around ``Pool``: one event loop that owns the pool, all its connections and every request. It does what
/// the pool says, and decides nothing.
///
/// One loop, because then nothing in the client needs a lock but the inbox, and because one core encrypts far more
/// notifications a second than APNs takes from one sender.
///
/// `@unchecked Sendable`: everything variable is touched on the event loop only, but for the inbox, which is locked.
final class ClientLoop: @unchecked Sendable {
    struct Inbox {
        var requests: [SendRequest] = []
        var isScheduled = false
        /// The event loop takes nothing more; it may be gone.
        var isClosed = false

        enum Arrival { case wake, joined, refused }

        mutating func append(_ request: SendRequest) -> Arrival {
            guard !isClosed else { return .refused }
            requests.append(request)
            defer { isScheduled = true }
            return isScheduled ? .joined : .wake
        }

        mutating func takeAll() -> [SendRequest] {
            isScheduled = false
            defer { requests = [] }
            return requests
        }
    }

    let eventLoop: any EventLoop
    private var connector: Connector
    private let clock: any CarillonClock
    private let logger: Logger
    private let inbox = Mutex(Inbox())

    private var pool: Pool
    private var signer: TokenSigner
    private var requests: [RequestID: SendRequest] = [:]
    private var handlers: [ConnectionID: ConnectionHandler] = [:]
    private var channels: [ConnectionID: any Channel] = [:]
    private var pending: [PoolAction] = []
    private var isPerforming = false
    private var batchMoment: Moment?
    private var completions: [(SendRequest, Result<APNsOutcome, APNsError>)] = []
    private var wakeUp: (moment: Timestamp, action: ScheduledAction)?
    private var stopPromises: [EventLoopPromise<Void>] = []

    init(
        pool: Pool, signer: TokenSigner, connector: Connector, clock: any CarillonClock, logger: Logger
    ) {
        eventLoop = connector.eventLoop
        self.pool = pool
        self.signer = signer
        self.connector = connector
        self.clock = clock
        self.logger = logger
    }

    // MARK: From any thread. Whoever closes the inbox does so under its lock, and ends the event loop afterwards.

    /// Hands a request over. Many requests that arrive together wake the event loop once.
    func submit(_ request: SendRequest) {
        let isTaken = inbox.withLock { inbox in
            let arrival = inbox.append(request)
            if arrival == .wake { eventLoop.execute { self.drainInbox() } }
            return arrival != .refused
        }
        if !isTaken { request.complete(.failure(.shutDown(sent: false))) }
    }

    func cancel(_ request: SendRequest) {
        executeUnlessClosed { loop in
            request.isCancelled = true
            guard let id = request.id else { return }
            loop.perform(loop.pool.cancel(id, at: loop.now))
        }
    }

    /// Succeeds when nothing is in flight and no connection is open; `nil` when that is long past.
    func shutDown() -> EventLoopFuture<Void>? {
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return nil }
            let promise = eventLoop.makePromise(of: Void.self)
            eventLoop.execute {
                self.stopPromises.append(promise)
                self.perform(self.pool.shutDown(at: self.now))
            }
            return promise.futureResult
        }
    }

    /// What is sent from now on is sent with this credential; what is in flight is awaited on the old connections.
    func replaceCredential(_ credential: APNsCredential, tls: NIOSSLContext) {
        executeUnlessClosed { loop in
            let actions = loop.pool.replaceCredential(usesTokens: credential.usesTokens, at: loop.now)
            loop.signer.replaceCredential(credential, generation: loop.pool.credentialGeneration)
            loop.connector.tls = tls
            loop.perform(actions)
        }
    }

    private func executeUnlessClosed(_ task: @escaping @Sendable (ClientLoop) -> Void) {
        inbox.withLock { inbox in
            if !inbox.isClosed { eventLoop.execute { task(self) } }
        }
    }

    // MARK: From the connections, on the event loop

    func negotiated(_ handler: ConnectionHandler, connection: ConnectionID) {
        guard pool.index(of: connection) != nil else { return handler.close() }
        handlers[connection] = handler
    }

    func received(_ head: APNsAnswerHead?, isLast: Bool, connection: ConnectionID, stream: StreamID) {
        perform(pool.received(head, isLast: isLast, connection: connection, stream: stream, at: now))
    }

    func received(_ bytes: ByteBuffer, isLast: Bool, connection: ConnectionID, stream: StreamID) {
        perform(pool.received(bytes, isLast: isLast, connection: connection, stream: stream, at: now))
    }

    func streamWasReset(connection: ConnectionID, stream: StreamID, wasRefused: Bool, code: String) {
        perform(
            pool.streamWasReset(
                connection: connection, stream: stream, wasRefused: wasRefused, code: code, at: now))
    }

    func receivedSettings(streamLimit: Int?, connection: ConnectionID) {
        perform(pool.receivedSettings(streamLimit: streamLimit, connection: connection, at: now))
    }

    func receivedWindow(byteCount: Int, connection: ConnectionID) {
        perform(pool.receivedWindow(byteCount: byteCount, connection: connection, at: now))
    }

    func receivedGoAway(lastStream: StreamID, reason: String, connection: ConnectionID) {
        perform(pool.receivedGoAway(lastStream: lastStream, reason: reason, connection: connection, at: now))
    }

    func receivedPong(connection: ConnectionID) { perform(pool.receivedPong(connection: connection, at: now)) }

    func writabilityChanged(isWritable: Bool, connection: ConnectionID) {
        perform(pool.writabilityChanged(isWritable: isWritable, connection: connection, at: now))
    }

    func connectionClosed(_ connection: ConnectionID, why: String) {
        handlers[connection] = nil
        channels[connection] = nil
        perform(pool.connectionClosed(connection, why: why, at: now))
    }

    // MARK: Inside

    /// One moment for all that one read brings, and for all that one drain of the inbox brings.
    private var now: Moment { batchMoment ?? Moment(clock) }

    /// From here to ``endBatch()`` frames are written and nothing is flushed.
    func beginBatch() {
        if batchMoment == nil { batchMoment = Moment(clock) }
    }

    func endBatch() {
        batchMoment = nil
        settle()
    }

    /// First the wire, then the callers: waking them all at one time wakes fewer threads.
    private func settle() {
        for handler in handlers.values { handler.flushIfNeeded() }
        let completed = exchange(&completions, with: [])
        for (request, result) in completed { request.complete(result) }
        scheduleWakeUp()
    }

    private func drainInbox() {
        let arrived = inbox.withLock { $0.takeAll() }
        beginBatch()
        let now = now
        for request in arrived {
            guard !request.isCancelled else {
                request.complete(.failure(.cancelled(sent: false)))
                continue
            }
            let (id, actions) = pool.submit(
                byteCount: request.draft.body.readableBytes, deadline: now.steady + request.draft.deadline, at: now)
            request.id = id
            requests[id] = request
            pending += actions
        }
        perform([])
        endBatch()
    }

    /// Does what the pool says. What that leads to is appended, so that the order is the order of the decisions.
    private func perform(_ actions: [PoolAction]) {
        pending += actions
        guard !isPerforming else { return }
        isPerforming = true
        var next = 0
        while next < pending.count {
            act(pending[next])
            next += 1
        }
        pending.removeAll(keepingCapacity: pending.capacity < 4096)
        isPerforming = false
        if batchMoment == nil { settle() }
    }

    private func act(_ action: PoolAction) {
        switch action {
        case .connect(let id): connect(id)
        case .open(let id, let connection, let stream, let token): open(id, connection, stream, token)
        case .reset(let connection, let stream): handlers[connection]?.reset(stream)
        case .ping(let connection): handlers[connection]?.ping()
        case .close(let connection): close(connection)
        case .answer(let id, let answer):
            guard let request = requests.removeValue(forKey: id) else { return }
            completions.append((request, .success(answer.outcome(to: request.draft))))
        case .fail(let id, let error):
            guard let request = requests.removeValue(forKey: id) else { return }
            completions.append((request, .failure(error)))
        case .warn(let warning): warning.log(to: logger)
        case .stopped: stopped()
        }
    }

    private func connect(_ id: ConnectionID) {
        connector.connect(id, owner: self).whenComplete { result in
            switch result {
            case .success(let channel):
                guard self.pool.index(of: id) != nil else { return channel.close(promise: nil) }
                self.channels[id] = channel
            case .failure(let error):
                let trouble = ConnectionTrouble.sentence(error)
                self.connectionClosed(id, why: "connecting to \(self.connector.endpoint) failed: \(trouble)")
            }
        }
    }

    private func open(_ id: RequestID, _ connection: ConnectionID, _ stream: StreamID, _ token: ProviderToken?) {
        guard let request = requests[id], let handler = handlers[connection] else { return }
        guard let token else { return handler.open(stream, headers: request.draft.headers, body: request.draft.body) }
        guard let authorization = signer.authorization(for: token) else {
            return perform(pool.signingFailed(id, at: now))
        }
        var headers = request.draft.headers
        headers.add(name: "authorization", value: authorization, indexing: .neverIndexed)
        handler.open(stream, headers: headers, body: request.draft.body)
    }

    private func close(_ connection: ConnectionID) {
        if let handler = handlers.removeValue(forKey: connection) {
            handler.close()
        } else {
            channels[connection]?.close(promise: nil)
        }
        channels[connection] = nil
    }

    private func scheduleWakeUp() {
        guard let moment = pool.nextDeadline else { return }
        if let wakeUp, wakeUp.moment <= moment { return }
        wakeUp?.action.cancel()
        let action = clock.schedule(after: max(.zero, moment - now.steady)) { self.executeUnlessClosed { $0.woke() } }
        wakeUp = (moment, action)
    }

    private func woke() {
        wakeUp = nil
        perform(pool.timePassed(at: now))
    }

    private func stopped() {
        wakeUp?.action.cancel()
        wakeUp = nil
        let late = inbox.withLock { inbox in
            inbox.isClosed = true
            return inbox.takeAll()
        }
        settle()
        for request in late { request.complete(.failure(.shutDown(sent: false))) }
        for promise in stopPromises { promise.succeed() }
        stopPromises.removeAll()
    }
}

private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    defer { value = new }
    return value
}

extension APNsAnswer {
    /// - Parameter draft: its id stands in when the answer names none of its own.
    func outcome(to draft: SendDraft) -> APNsOutcome {
        let isSame = head.apnsID == nil || head.apnsID == draft.apnsIDText
        let apnsID = isSame ? draft.apnsID : head.apnsID.flatMap(UUID.init(uuidString:)) ?? draft.apnsID
        guard let refusal else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        return .rejected(
            APNsRejection(
                reason: refusal.reason, status: head.status, timestamp: refusal.timestamp, apnsID: apnsID))
    }
}
