import CarillonCore

/// Reacts to the passing of time.
extension Pool {
    /// The next time (steady) at which ``timePassed(at:)`` has something to do; `nil` for never.
    var nextDeadline: Timestamp? {
        guard phase != .stopped else { return nil }
        var earliest = deadlines.earliest
        func consider(_ moment: Timestamp?) {
            guard let moment else { return }
            earliest = earliest.map { min($0, moment) } ?? moment
        }
        consider(nextConnect)
        for connection in connections { consider(nextDeadline(of: connection)) }
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
        guard requests[id] != nil else { return [] }
        let problem = lastProblem.map { " The last problem was: \($0)." } ?? ""
        let hasConnection = connections.contains { $0.phase == .ready }
        return retireIfMute(id, at: now)
            + abandon(id, at: now) { [lastDistrust] sent in
                if sent { return .unknown("APNs did not answer before the deadline.") }
                if hasConnection { return .notSent("The deadline passed while the notification was queued.\(problem)") }
                let message = "There was no connection to APNs before the deadline.\(problem)"
                return lastDistrust.map { .distrusted($0, message) } ?? .notSent(message)
            }
    }

    /// Stops using a connection that has answered nothing since this request was sent.
    ///
    /// The caller's next attempt then uses another connection.
    private mutating func retireIfMute(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard case .sent(let connection, let stream)? = requests[id]?.place, let index = index(of: connection),
            connections[index].phase == .ready, connections[index].isMute(since: stream)
        else { return [] }
        connections[index].phase = .draining
        pauseUnlessProven(connections[index], at: now)
        return [.warn(.connectionMute(connection))]
    }

    private func nextDeadline(of connection: PoolConnection) -> Timestamp? {
        if connection.phase == .connecting { return connection.openedAt + limits.connectTimeout }
        if let pingSentAt = connection.pingSentAt { return pingSentAt + limits.pingTimeout }
        if connection.isBusy { return connection.quietSince + limits.silenceBeforePing }
        let ping = connection.quietSince + limits.idlePing
        return openCount > 1 ? min(ping, connection.idleSince + limits.idleBeforeClose) : ping
    }

    private mutating func checkHealth(of id: ConnectionID, at now: ClockReading) -> [PoolAction] {
        guard let index = index(of: id), let due = nextDeadline(of: connections[index]), due <= now.steady else {
            return []
        }
        if connections[index].phase == .connecting {
            return [.close(id)] + connectionClosed(id, why: "connecting took too long", at: now)
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
