import CarillonCore

/// Shuts the pool down: refuses new requests, and waits a bounded time for the answers to the accepted ones.
extension Pool {
    mutating func shutDown(at now: ClockReading) -> [PoolAction] {
        guard phase == .running else { return [] }
        phase = .shuttingDown(until: now.steady + limits.shutdownGrace)
        return stopIfDone()
    }

    /// Ends the shutdown, because its time limit has passed; requests without an answer fail.
    mutating func endShutdown(at now: ClockReading) -> [PoolAction] {
        let actions = requests.removeAll().map { id, request in
            PoolAction.fail(id, .shutDown(sent: request.place != .queued))
        }
        for index in connections.indices { connections[index].forgetStreams() }
        return actions + stopIfDone()
    }

    mutating func stopIfDone() -> [PoolAction] {
        guard case .shuttingDown = phase, requests.isEmpty else { return [] }
        phase = .stopped
        let closing = connections.map { PoolAction.close($0.id) }
        connections.removeAll()
        return closing + [.stopped]
    }
}
