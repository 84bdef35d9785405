import CarillonCore

/// Ends requests, or puts them back into the queue.
extension Pool {
    /// Ends a queued or sent request without an answer.
    ///
    /// - Parameters:
    ///   - id: the request's id.
    ///   - now: the present time of the wall clock and of the monotonic clock.
    ///   - error: a closure that returns the error for the caller; its argument says whether the request was sent.
    /// - Returns: the actions to perform.
    mutating func abandon(
        _ id: RequestID, at now: ClockReading, error: (_ sent: Bool) -> APNsError
    ) -> [PoolAction] {
        guard let request = requests.remove(id) else { return [] }
        switch request.place {
        case .queued:
            return [.fail(id, error(false))] + stopIfDone()
        case .sent(let connection, let stream):
            var actions: [PoolAction] = []
            var head: APNsAnswerHead?
            if let index = index(of: connection) {
                head = connections[index].head(of: stream)
                if connections[index].close(stream, at: now) != nil {
                    actions.append(.reset(connection: connection, stream: stream))
                }
            }
            actions.append(request.end(id, head, or: error(true)))
            actions += closeIfDrained(connection)
            actions += fill(at: now)
            return actions + stopIfDone()
        }
    }

    /// Puts several requests back at the front of the queue, in the order in which they were sent.
    mutating func requeue(_ ids: [RequestID], why: String) -> [PoolAction] {
        let before = requests.queuedCount
        let failures = ids.reversed().compactMap { requests.putBack($0, resends: limits.resends, why: why) }
        tally.sentAgain += requests.queuedCount - before
        return failures
    }

    mutating func finish(_ id: RequestID, with answer: APNsAnswer) -> [PoolAction] {
        guard requests.remove(id) != nil else { return [] }
        return [.answer(id, answer)]
    }

    func index(of connection: ConnectionID) -> Int? {
        connections.firstIndex { $0.id == connection }
    }
}

extension Pool {
    /// Ends a request whose token could not be signed.
    ///
    /// The stream of such a request was never opened, so its body takes nothing of the server's window.
    mutating func signingFailed(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard let request = requests[id], case .sent(let connection, let stream) = request.place else { return [] }
        requests.remove(id)
        if let index = index(of: connection), connections[index].close(stream, at: now) != nil {
            connections[index].sendWindow += request.byteCount
        }
        return [.fail(id, .notSent("The provider token could not be signed.", advice: "Check the signing key."))]
            + afterStreamsEnded(on: connection, at: now)
    }
}
