import CarillonCore
import DequeModule

/// Makes the decisions of a client, as a value without side effects.
///
/// The pool decides which request goes out on which connection with which token, and when to connect, wait or give up. It opens
/// no socket and reads no clock, so tests need neither. Each event has a method, which takes the present time as `now` and
/// returns the actions to perform, in order.
struct Pool: Sendable {
    struct Request: Sendable {
        enum Place: Sendable, Equatable {
            case queued
            case sent(ConnectionID, StreamID)
        }

        /// The size of the request's body, in bytes.
        let byteCount: Int
        /// The size limit of a successful answer's JSON, in bytes; `nil` for a push, whose answer has no body.
        let answerByteLimit: Int?
        /// The time at which the request fails, on the monotonic clock.
        let deadline: Timestamp
        var place = Place.queued
        /// The number of times that the request has been given to a connection.
        var sends = 0
    }

    enum Phase: Sendable, Equatable {
        case running
        /// The pool accepts no more requests, and awaits the answers to the accepted ones until this time on the monotonic
        /// clock.
        case shuttingDown(until: Timestamp)
        case stopped
    }

    let limits: APNsLimits
    /// Whether requests carry a provider token.
    ///
    /// It is false if the credential is a certificate.
    var usesTokens: Bool
    /// The number of times that the credential has been replaced.
    var credentialGeneration = 0
    var phase = Phase.running
    var requests = SlotTable<Request>()
    /// The queued requests in the order of sending.
    ///
    /// The queue may still contain ended requests.
    var queue: Deque<RequestID> = []
    var queuedCount = 0
    var deadlines = DeadlineQueue()
    var connections: [PoolConnection] = []
    var tokens = ProviderTokens()
    var backoff: ReconnectBackoff
    /// The time on the monotonic clock before which the pool makes no attempt to connect.
    var connectNotBefore: Timestamp?
    /// The time on the monotonic clock at which congestion began; `nil` if there is none.
    ///
    /// Congestion means that requests queue because every connection is full, or that answers are slow on connections with many
    /// streams.
    var congestedSince: Timestamp?
    /// Whether the last answer took longer than ``APNsLimits/congestionBeforeGrowth`` on a connection with many
    /// streams.
    var answersAreSlow = false
    /// The reason why requests wait, as far as it is known.
    var hindrance = PoolHindrance()
    var tally = PoolTally()
    private var lastConnection: ConnectionID = 0

    init(limits: APNsLimits, usesTokens: Bool, seed: UInt64) {
        self.limits = limits
        self.usesTokens = usesTokens
        backoff = ReconnectBackoff(
            Backoff(first: limits.shortestBackoff, longest: limits.longestBackoff), seed: seed)
    }

    /// Accepts a request.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the body.
    ///   - answerByteLimit: the size limit of a successful answer's JSON; `nil` for a push, whose answer has no body. The
    ///     default is `nil`.
    ///   - deadline: the time at which the request fails, on the monotonic clock.
    ///   - now: the present time of the wall clock and of the monotonic clock.
    ///   - actions: the array to which the actions are appended.
    /// - Returns: the request's id, even if the request is refused at once.
    mutating func submit(
        byteCount: Int, answerByteLimit: Int? = nil, deadline: Timestamp, at now: ClockReading,
        into actions: inout [PoolAction]
    ) -> RequestID {
        let count = requests.count
        let id = requests.insert(Request(byteCount: byteCount, answerByteLimit: answerByteLimit, deadline: deadline))
        if let error = objection(toRequestNumber: count + 1, deadline: deadline, at: now) {
            requests.remove(id)
            actions.append(.fail(id, error))
            return id
        }
        queue.append(id)
        queuedCount += 1
        deadlines.insert(id, deadline: deadline)
        compactQueues()
        fill(at: now, into: &actions)
        return id
    }

    private func objection(toRequestNumber number: Int, deadline: Timestamp, at now: ClockReading) -> APNsError? {
        guard phase == .running else { return .shutDown(sent: false) }
        guard number <= limits.suspendedSends else { return .overloaded(limit: limits.suspendedSends) }
        guard deadline > now.steady else {
            return .notSent("The deadline had passed before the notification could be sent.")
        }
        return nil
    }

    /// Cancels a request that its caller no longer wants.
    mutating func cancel(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        abandon(id, at: now) { .cancelled(sent: $0) }
    }

    /// Assigns queued requests to connections with room, and opens a connection if necessary.
    mutating func fill(at now: ClockReading) -> [PoolAction] {
        var actions: [PoolAction] = []
        fill(at: now, into: &actions)
        return actions
    }

    mutating func fill(at now: ClockReading, into actions: inout [PoolAction]) {
        while queuedCount > 0, let index = connectionWithMostRoom() {
            guard let id = popQueued() else { break }
            open(id, onConnectionAt: index, at: now, into: &actions)
        }
        connectIfNeeded(at: now, into: &actions)
    }

    private mutating func open(
        _ id: RequestID, onConnectionAt index: Int, at now: ClockReading, into actions: inout [PoolAction]
    ) {
        if usesTokens { provideToken(forConnectionAt: index, at: now) }
        guard let byteCount = requests[id]?.byteCount else { return }
        let connection = connections[index].id
        let stream = connections[index].open(id, byteCount: byteCount, at: now)
        requests[id]?.place = .sent(connection, stream)
        requests[id]?.sends += 1
        actions.append(.open(id, connection: connection, stream: stream, token: connections[index].token))
    }

    private mutating func provideToken(forConnectionAt index: Int, at now: ClockReading) {
        if let token = connections[index].token,
            !tokens.mustChange(token, takenAt: connections[index].tokenTakenAt, at: now)
        {
            return
        }
        connections[index].token = tokens.take(at: now)
        connections[index].tokenTakenAt = now.steady
    }

    /// Returns the least loaded connection with room; `nil` if none has room.
    ///
    /// Answers come sooner from many connections with few streams than from few connections with many (pushy #399).
    private func connectionWithMostRoom() -> Int? {
        var best: Int?
        for index in connections.indices where connections[index].room > 0 {
            if let current = best, connections[current].streams.count <= connections[index].streams.count { continue }
            best = index
        }
        return best
    }

    private mutating func popQueued() -> RequestID? {
        while let id = queue.popFirst() {
            guard requests[id]?.place == .queued else { continue }
            queuedCount -= 1
            return id
        }
        return nil
    }

    mutating func newConnectionID() -> ConnectionID {
        lastConnection += 1
        return lastConnection
    }

    /// Removes ended requests from the queues if they are more than half of the entries.
    ///
    /// A request that ends stays in the queues until they are compacted, because a search for it would cost time.
    private mutating func compactQueues() {
        deadlines.compact(openRequests: requests.count) { requests[$0] != nil }
        guard queue.count > 2 * queuedCount + ClientLimits.endedEntriesKept else { return }
        queue.removeAll { requests[$0]?.place != .queued }
    }
}
