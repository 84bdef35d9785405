import CarillonCore
import DequeModule

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
            queuedCount -= 1
            return [.fail(id, error(false))] + stopIfDone()
        case .sent(let connection, let stream):
            var actions: [PoolAction] = []
            if let index = index(of: connection), connections[index].close(stream, at: now) != nil {
                actions.append(.reset(connection: connection, stream: stream))
            }
            actions.append(.fail(id, error(true)))
            actions += closeIfDrained(connection)
            actions += fill(at: now)
            return actions + stopIfDone()
        }
    }

    /// Puts a request back at the front of the queue, because APNs certainly did not process it.
    ///
    /// If the request has already been sent again ``APNsLimits/resends`` times, it fails and is not put back.
    ///
    /// - Returns: the action that reports the failure; `nil` if the request was put back.
    mutating func requeue(_ id: RequestID, why: String) -> PoolAction? {
        guard let request = requests[id] else { return nil }
        guard request.sends <= limits.resends else {
            requests.remove(id)
            return .fail(
                id, .notSent("APNs did not take the notification in \(request.sends) attempts; the last time: \(why)."))
        }
        requests[id]?.place = .queued
        tally.sentAgain += 1
        queue.prepend(id)
        queuedCount += 1
        return nil
    }

    /// Puts several requests back, in the order in which they were sent.
    mutating func requeue(_ ids: [RequestID], why: String) -> [PoolAction] {
        ids.reversed().compactMap { requeue($0, why: why) }
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
    /// The stream of such a request was never opened.
    mutating func signingFailed(_ id: RequestID, at now: ClockReading) -> [PoolAction] {
        guard case .sent(let connection, let stream)? = requests[id]?.place else { return [] }
        requests.remove(id)
        if let index = index(of: connection) { _ = connections[index].close(stream, at: now) }
        return [.fail(id, .notSent("The provider token could not be signed.", advice: "Check the signing key."))]
            + afterStreamsEnded(on: connection, at: now)
    }
}
