import CarillonCore

/// What happens to connections.
extension Pool {
    /// SETTINGS from the server: the first makes the connection ready.
    ///
    /// - Parameter streamLimit: MAX_CONCURRENT_STREAMS; `nil` when the frame does not name it, which in the first one
    ///   means that there is no limit ([RFC 9113 §6.5.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2)).
    mutating func receivedSettings(
        streamLimit: Int?, connection: ConnectionID, at now: Moment
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        if connections[index].phase == .connecting {
            connections[index].phase = .ready
            connections[index].streamLimit = limits.streamsPerConnection
            connections[index].idleSince = now.steady
            congestedSince = nil
        }
        if let streamLimit {
            connections[index].streamLimit = min(streamLimit, limits.streamsPerConnection)
        }
        return fill(at: now)
    }

    /// GOAWAY: streams above `lastStream` were not processed and go out again elsewhere; the others await their
    /// answers; the connection takes no more ([RFC 9113 §6.8](https://www.rfc-editor.org/rfc/rfc9113#section-6.8)).
    mutating func receivedGoAway(
        lastStream: StreamID, reason: String, connection: ConnectionID, at now: Moment
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        connections[index].phase = .draining
        let unprocessed = connections[index].streams.keys.filter { $0 > lastStream }.sorted()
        let ids = unprocessed.compactMap { connections[index].close($0, at: now)?.request }
        lastTrouble = "APNs closed the connection (\(reason))"
        return [.warn(.goAway(connection, reason: reason, sentAgain: ids.count))]
            + requeue(ids, why: "GOAWAY") + afterStreamsEnded(on: connection, at: now)
    }

    mutating func receivedPong(connection: ConnectionID, at now: Moment) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        connections[index].pingSentAt = nil
        return []
    }

    mutating func writabilityChanged(
        isWritable: Bool, connection: ConnectionID, at now: Moment
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].isWritable = isWritable
        return isWritable ? fill(at: now) : []
    }

    /// The connection is gone, or could not be made. What was in flight has no answer and never will.
    mutating func connectionClosed(_ connection: ConnectionID, why: String, at now: Moment) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        let lost = connections.remove(at: index)
        var actions: [PoolAction] = []
        if !lost.hasAnswered, lost.phase != .draining {
            let pause = backOff.failed()
            connectNotBefore = now.steady + pause
            lastTrouble = why
            actions.append(
                .warn(.connectFailed(connection, attempt: backOff.failures, retryIn: pause, why: why)))
        } else if lost.phase == .ready || lost.isBusy {
            lastTrouble = why
            actions.append(.warn(.connectionLost(connection, inFlight: lost.streams.count, why: why)))
        }
        for stream in lost.streams.keys.sorted() {
            guard let id = lost.streams[stream]?.request, requests.removeValue(forKey: id) != nil else { continue }
            actions.append(.fail(id, .unknown("The connection was lost before APNs answered (\(why)).")))
        }
        return actions + fill(at: now) + stopIfDone()
    }

    /// Every connection of the old key takes no more; the next ones start with a token of the new key.
    mutating func replaceKey(at now: Moment) -> [PoolAction] {
        tokens.replaceKey()
        return replaceAllConnections(at: now)
    }

    mutating func replaceAllConnections(at now: Moment) -> [PoolAction] {
        var actions: [PoolAction] = []
        for connection in connections {
            guard let index = index(of: connection.id) else { continue }
            connections[index].phase = .draining
            actions += closeIfDrained(connection.id)
        }
        connectNotBefore = nil
        return actions + fill(at: now)
    }

    mutating func closeIfDrained(_ connection: ConnectionID) -> [PoolAction] {
        guard let index = index(of: connection), connections[index].phase == .draining, !connections[index].isBusy
        else { return [] }
        connections.remove(at: index)
        return [.close(connection)]
    }

    /// Opens the first connection on demand, and a further one when requests have been queueing for a while although
    /// every connection is full and of proven use.
    mutating func connectIfNeeded(at now: Moment, into actions: inout [PoolAction]) {
        guard queuedCount > 0 else {
            congestedSince = nil
            return
        }
        let open = connections.filter { $0.phase != .draining }
        guard open.count < max(1, limits.connections), !open.contains(where: { $0.phase == .connecting }) else {
            return
        }
        if let connectNotBefore, now.steady < connectNotBefore { return }
        if !open.isEmpty {
            guard open.allSatisfy(\.hasAnswered) else { return }
            let since = congestedSince ?? now.steady
            congestedSince = since
            guard now.steady - since >= limits.congestionBeforeGrowth else { return }
            congestedSince = now.steady
        }
        connectNotBefore = nil
        let connection = PoolConnection(id: newConnectionID(), keyGeneration: tokens.keyGeneration, at: now)
        connections.append(connection)
        actions.append(.connect(connection.id))
    }
}
