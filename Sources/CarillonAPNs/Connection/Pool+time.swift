import CarillonCore

/// Reacts to the passing of time.
extension Pool {
    /// The next time on the monotonic clock at which ``timePassed(at:)`` has something to do; `nil` for never.
    var nextDeadline: Timestamp? {
        guard phase != .stopped else { return nil }
        var earliest = requests.earliestDeadline
        func consider(_ moment: Timestamp?) {
            guard let moment else { return }
            earliest = earliest.map { min($0, moment) } ?? moment
        }
        consider(nextConnect)
        for connection in connections { consider(connection.nextCheck(limits, isOneOfSeveral: openCount > 1)) }
        if case .shuttingDown(let until) = phase { consider(until) }
        return earliest
    }

    mutating func timePassed(at now: ClockReading) -> [PoolAction] {
        var actions: [PoolAction] = []
        if case .shuttingDown(let until) = phase, now.steady >= until { actions += endShutdown(at: now) }
        while let id = requests.popDue(at: now.steady) { actions += deadlinePassed(id, at: now) }
        for connection in connections.map(\.id) { actions += checkHealth(of: connection, at: now) }
        return actions + fill(at: now)
    }

    /// Ends a request because its deadline has passed.
    mutating func deadlinePassed(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard let place = requests[id]?.place else { return [] }
        let hasConnection = connections.contains { $0.phase == .ready }
        let retired = place == .queued ? retireUseless(at: now) : retireIfMute(id, at: now)
        let attempt = connections.first { $0.phase == .connecting && $0.step != nil }
        let hindrance = hindrance.orStep(of: attempt, at: now.steady)
        return retired
            + abandon(id, at: now) { sent in
                sent
                    ? .unknown("APNs did not answer before the deadline.")
                    : hindrance.failure(hasConnection: hasConnection)
            }
    }

    /// Retires each connection that accepts no request although no request is in flight on it.
    ///
    /// Later requests then use other connections.
    private mutating func retireUseless(at now: ClockReading) -> [PoolAction] {
        var actions: [PoolAction] = []
        for connection in connections {
            guard let why = connection.uselessness, let index = index(of: connection.id) else { continue }
            hindrance = PoolHindrance(problem: why)
            actions += retire(connectionAt: index, .connectionUseless(connection.id, why: why), at: now)
            actions += closeIfDrained(connection.id)
        }
        return actions
    }

    /// Takes the connection of a request out of use, if APNs has answered nothing on it since the request was sent.
    ///
    /// Later requests then use another connection.
    private mutating func retireIfMute(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard case .sent(let connection, let stream)? = requests[id]?.place, let index = index(of: connection),
            connections[index].phase == .ready, connections[index].isMute(since: stream)
        else { return [] }
        return retire(connectionAt: index, .connectionMute(connection), at: now)
    }

    /// Ends the requests of these streams whose deadline has passed.
    ///
    /// Their bodies are not complete yet. So the caller can prevent that the rest is sent when the server opens a window.
    mutating func timePassed(
        forBodiesOn streams: [StreamID], of connection: ConnectionID, at now: ClockReading
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        let ids = streams.compactMap { connections[index].request(on: $0) }
        return ids.filter { requests[$0].map { $0.deadline <= now.steady } ?? false }
            .flatMap { deadlinePassed($0, at: now) }
    }

    private mutating func checkHealth(of id: ConnectionID, at now: ClockReading) -> [PoolAction] {
        guard let index = index(of: id),
            let finding = connections[index].check(at: now.steady, limits, isOneOfSeveral: openCount > 1)
        else { return [] }
        switch finding {
        case .isDead(let why): return [.close(id)] + connectionClosed(id, why: why, at: now)
        case .isIdle:
            connections[index].phase = .draining
            return closeIfDrained(id)
        case .isQuiet:
            connections[index].pingSentAt = now.steady
            return [.ping(id)]
        }
    }

    private var openCount: Int { connections.count { $0.phase == .ready } }
}
