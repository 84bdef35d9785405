import CarillonCore

/// Reacts to the passing of time.
extension Pool {
    /// The next moment (steady) at which ``timePassed(at:)`` has something to do; `nil` when it never will.
    var nextDeadline: Timestamp? {
        guard phase != .stopped else { return nil }
        var earliest = deadlines.earliest
        func consider(_ moment: Timestamp?) {
            guard let moment else { return }
            earliest = earliest.map { min($0, moment) } ?? moment
        }
        consider(nextConnect)
        for connection in connections { consider(connection.nextDeadline(limits, openCount: openCount)) }
        if case .shuttingDown(let until) = phase { consider(until) }
        return earliest
    }

    mutating func timePassed(at now: ClockReading) -> [PoolAction] {
        var actions: [PoolAction] = []
        if case .shuttingDown(let until) = phase, now.steady >= until { actions += endShutdown(at: now) }
        while let id = deadlines.popDue(at: now.steady) { actions += deadlinePassed(id, at: now) }
        for connection in connections.map(\.id) { actions += checkHealth(of: connection, at: now) }
        return actions + fill(at: now)
    }

    private mutating func deadlinePassed(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard let place = requests[id]?.place else { return [] }
        let hasConnection = connections.contains { $0.phase == .ready }
        let retired = place == .queued ? retireUseless(at: now) : retireIfMute(id, at: now)
        let notSent = trouble.error(hasConnection: hasConnection, connections, at: now)
        return retired
            + abandon(id, at: now) { $0 ? .unknown("APNs did not answer before the deadline.") : notSent }
    }

    /// Retires the connections that take no requests although they have none, so that the next attempt uses another one.
    private mutating func retireUseless(at now: ClockReading) -> [PoolAction] {
        var actions: [PoolAction] = []
        for connection in connections {
            guard let why = connection.uselessness, let index = index(of: connection.id) else { continue }
            trouble.note(why)
            actions += retire(connectionAt: index, .connectionUseless(connection.id, why: why), at: now)
            actions += closeIfDrained(connection.id)
        }
        return actions
    }

    /// Retires a connection that has not answered since this request, so that the next attempt uses another one.
    private mutating func retireIfMute(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard case .sent(let connection, let stream)? = requests[id]?.place, let index = index(of: connection),
            connections[index].phase == .ready, connections[index].isMute(since: stream)
        else { return [] }
        return retire(connectionAt: index, .connectionMute(connection), at: now)
    }

    private mutating func checkHealth(of id: ConnectionID, at now: ClockReading) -> [PoolAction] {
        guard let index = index(of: id), connections[index].nextDeadline(limits, openCount: openCount) <= now.steady
        else { return [] }
        if connections[index].phase == .connecting {
            let why = connections[index].step?.sentence(after: now.steady - connections[index].stepSince)
            return [.close(id)] + connectionClosed(id, why: why ?? "connecting took too long", at: now)
        }
        if connections[index].pingSentAt != nil {
            return [.close(id)] + connectionClosed(id, why: "no answer to a PING", at: now)
        }
        if !connections[index].isBusy, openCount > 1,
            now.steady >= connections[index].idleSince + limits.idleBeforeClose
        {
            connections[index].phase = .draining
            return closeIfDrained(id)
        }
        connections[index].pingSentAt = now.steady
        return [.ping(id)]
    }

    private var openCount: Int { connections.count { $0.phase == .ready } }
}
