import CarillonCore

/// Opens, watches and closes connections.
extension Pool {
    /// Handles the server's SETTINGS.
    ///
    /// The first SETTINGS make the connection ready.
    ///
    /// - Parameters:
    ///   - streamLimit: MAX_CONCURRENT_STREAMS; `nil` if the frame does not contain it. In the first frame, `nil` means no
    ///     limit ([RFC 9113 §6.5.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2)), and the pool sets its own limit.
    ///   - connection: the connection that received the frame.
    ///   - now: the present time of the wall clock and of the monotonic clock.
    /// - Returns: the actions to perform.
    mutating func receivedSettings(
        streamLimit: Int?, connection: ConnectionID, at now: ClockReading
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        if connections[index].phase == .connecting {
            connections[index].phase = .ready
            tally.connectionsOpened += 1
            connections[index].allow(streams: min(ClientLimits.streamsWithoutLimit, limits.streamsPerConnection))
            connections[index].idleSince = now.steady
            congestedSince = nil
        }
        if let streamLimit { connections[index].allow(streams: min(streamLimit, limits.streamsPerConnection)) }
        return fill(at: now)
    }

    /// Records the step at which an attempt to connect is waiting.
    mutating func reached(_ step: ConnectStep, connection: ConnectionID, at now: ClockReading) {
        if let index = index(of: connection) { connections[index].reached(step, at: now) }
    }

    /// Handles a GOAWAY.
    ///
    /// The connection takes no more requests ([RFC 9113 §6.8](https://www.rfc-editor.org/rfc/rfc9113#section-6.8)). Streams
    /// above `lastStream` were not processed, so their requests go out again on another connection. Other streams await their
    /// answers.
    mutating func receivedGoAway(
        lastStream: StreamID, reason: String, connection: ConnectionID, at now: ClockReading
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        if connections[index].phase != .draining { pauseUnlessProven(connections[index], at: now) }
        connections[index].phase = .draining
        tally.goAways += 1
        let above = connections[index].streams.keys.filter { $0 > lastStream }.sorted()
        let answered = above.filter { connections[index].hasHead(of: $0) }
        var actions: [PoolAction] = []
        for stream in answered { actions += endedEarly(stream, connectionAt: index, why: "GOAWAY", at: now) }
        let ids = above.compactMap { connections[index].close($0, at: now)?.request }
        hindrance = PoolHindrance(problem: "APNs closed the connection (\(reason))")
        actions.append(.warn(.goAway(connection, reason: reason, sentAgain: ids.count)))
        return actions + requeue(ids, why: "GOAWAY") + afterStreamsEnded(on: connection, at: now)
    }

    /// Handles a WINDOW_UPDATE of the whole connection.
    mutating func receivedWindow(byteCount: Int, connection: ConnectionID, at now: ClockReading) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].sendWindow += byteCount
        return fill(at: now)
    }

    mutating func receivedPong(connection: ConnectionID, at now: ClockReading) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        return []
    }

    mutating func writabilityChanged(
        isWritable: Bool, connection: ConnectionID, at now: ClockReading
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].isWritable = isWritable
        return isWritable ? fill(at: now) : []
    }

    /// Handles the end of a connection, or a failed attempt to connect.
    ///
    /// Requests in flight on the connection fail, because they will never get an answer.
    mutating func connectionClosed(
        _ connection: ConnectionID, why: String, distrust: Distrust? = nil, at now: ClockReading
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        hindrance.distrust = distrust
        let lost = connections.remove(at: index)
        var actions: [PoolAction] = []
        if lost.phase != .draining, let pause = pauseUnlessProven(lost, at: now) {
            hindrance.problem = why
            tally.connectionsFailed += 1
            actions.append(
                .warn(.connectFailed(connection, attempt: pace.failures, retryIn: pause, why: why)))
        } else if lost.phase == .ready || lost.isBusy {
            hindrance.problem = why
            tally.connectionsLost += 1
            actions.append(.warn(.connectionLost(connection, inFlight: lost.streams.count, why: why)))
        }
        for stream in lost.streams.keys.sorted() {
            guard let id = lost.streams[stream]?.request, let request = requests.remove(id) else { continue }
            let error = APNsError.unknown("The connection was lost before APNs answered (\(why)).")
            actions.append(request.end(id, lost.head(of: stream), or: error))
        }
        return actions + fill(at: now) + stopIfDone()
    }

    /// Replaces the credential.
    ///
    /// Old connections take no more requests, and new connections start with a token of the new key. So no connection changes its
    /// token sooner than Apple allows, and no request in flight is lost.
    mutating func replaceCredential(usesTokens: Bool, at now: ClockReading) -> [PoolAction] {
        credentialGeneration += 1
        self.usesTokens = usesTokens
        tokens.replaceKey(generation: credentialGeneration)
        var actions: [PoolAction] = []
        for connection in connections.map(\.id) {
            guard let index = index(of: connection) else { continue }
            connections[index].phase = .draining
            actions += closeIfDrained(connection)
        }
        pace.endPause()
        return actions + fill(at: now)
    }

    /// Makes the next attempt to connect wait, unless this connection is proven.
    ///
    /// A connection is proven (``PoolConnection/isProven``) if APNs has answered a request on it, not counting errors about the
    /// connection or its token.
    ///
    /// - Returns: the pause; `nil` if the connection is proven.
    @discardableResult
    mutating func pauseUnlessProven(_ connection: PoolConnection, at now: ClockReading) -> Duration? {
        guard !connection.isProven else { return nil }
        return pace.failed(at: now.steady)
    }

    /// Takes a connection out of use, so that later requests use another one.
    mutating func retire(
        connectionAt index: Int, _ warning: PoolWarning, at now: ClockReading
    ) -> [PoolAction] {
        connections[index].phase = .draining
        pauseUnlessProven(connections[index], at: now)
        return [.warn(warning)]
    }

    mutating func closeIfDrained(_ connection: ConnectionID) -> [PoolAction] {
        guard let index = index(of: connection), connections[index].phase == .draining, !connections[index].isBusy
        else { return [] }
        connections.remove(at: index)
        return [.close(connection)]
    }

    /// Opens the first connection on demand, and further ones under congestion.
    ///
    /// A further connection is opened only if requests have queued or answers have been slow for a while, and if APNs has already
    /// answered a request on every connection (``PoolConnection/isProven``).
    mutating func connectIfNeeded(at now: ClockReading, into actions: inout [PoolAction]) {
        let isCongested = (requests.queuedCount > 0 || answersAreSlow) && connections.contains { $0.phase == .ready }
        congestedSince = isCongested ? congestedSince ?? now.steady : nil
        guard let moment = nextConnect, moment <= now.steady else { return }
        if congestedSince != nil { congestedSince = now.steady }
        pace.began(at: now.steady)
        answersAreSlow = false
        let connection = PoolConnection(
            id: newConnectionID(), credentialGeneration: credentialGeneration, at: now)
        connections.append(connection)
        actions.append(.connect(connection.id))
    }

    /// The time on the monotonic clock at which to open the next connection; `nil` if the pool needs none.
    var nextConnect: Timestamp? {
        guard requests.queuedCount > 0 || answersAreSlow, phase != .stopped else { return nil }
        var openCount = 0
        for connection in connections where connection.phase != .draining {
            // Makes one attempt at a time, and none while a connection has not proved useful yet.
            guard connection.isProven else { return nil }
            openCount += 1
        }
        guard openCount < limits.connections, requests.queuedCount > 0 || openCount > 0 else { return nil }
        var moment = pace.next
        if openCount > 0 {
            guard let congestedSince else { return nil }
            moment = max(moment, congestedSince + limits.congestionBeforeGrowth)
        }
        return moment
    }
}
