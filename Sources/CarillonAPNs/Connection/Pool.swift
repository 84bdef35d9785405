import CarillonCore

/// Makes the decisions of a client, as a value without side effects.
///
/// The pool decides which request goes out on which connection with which token, and when to connect, wait or give up. It opens
/// no socket and reads no clock, so tests need neither. Each event has a method, which takes the present time as `now` and
/// returns the actions to perform, in order.
struct Pool: Sendable {
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
    var requests = PoolRequests()
    var connections: [PoolConnection] = []
    var tokens = ProviderTokens()
    var pace: ConnectPace
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
        pace = ConnectPace(limits, seed: seed)
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
        let request = PoolRequests.Request(byteCount: byteCount, answerByteLimit: answerByteLimit, deadline: deadline)
        if let error = objection(toRequestNumber: requests.count + 1, deadline: deadline, at: now) {
            let id = requests.refuse(request)
            actions.append(.fail(id, error))
            return id
        }
        let id = requests.append(request)
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

    /// Assigns queued requests to connections with room, and opens a connection if necessary.
    ///
    /// A request whose deadline has passed fails here, because the timer may come later than the event that made room: a process
    /// that stood still reads its sockets before it runs its timers.
    mutating func fill(at now: ClockReading, into actions: inout [PoolAction]) {
        while requests.queuedCount > 0, let index = connectionWithMostRoom() {
            guard let id = requests.popQueued(), let request = requests[id] else { break }
            if request.deadline > now.steady {
                open(id, request, onConnectionAt: index, at: now, into: &actions)
            } else {
                actions += deadlinePassed(id, at: now)
            }
        }
        connectIfNeeded(at: now, into: &actions)
    }

    private mutating func open(
        _ id: RequestID, _ request: PoolRequests.Request, onConnectionAt index: Int, at now: ClockReading,
        into actions: inout [PoolAction]
    ) {
        if usesTokens { connections[index].provideToken(from: &tokens, at: now) }
        let connection = connections[index].id
        let stream = connections[index].open(id, byteCount: request.byteCount, at: now)
        requests.sent(id, on: connection, stream)
        actions.append(.open(id, connection: connection, stream: stream, token: connections[index].token))
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

    mutating func newConnectionID() -> ConnectionID {
        lastConnection += 1
        return lastConnection
    }
}
