import CarillonCore
import NIOCore

/// Handles the server's answers and RST_STREAM frames.
extension Pool {
    /// Handles a header block: the head of an answer, or its trailers.
    mutating func received(
        _ head: APNsAnswerHead?, isLast: Bool, connection: ConnectionID, stream: StreamID, at now: ClockReading,
        into actions: inout [PoolAction]
    ) {
        guard let index = index(of: connection) else { return }
        connections[index].showedLife(at: now)
        let answer = connections[index].took(head, isLast: isLast, on: stream)
        if let answer { completed(stream, with: answer, onConnectionAt: index, at: now, into: &actions) }
    }

    mutating func received(
        _ bytes: ByteBuffer, isLast: Bool, connection: ConnectionID, stream: StreamID, at now: ClockReading,
        into actions: inout [PoolAction]
    ) {
        guard let index = index(of: connection) else { return }
        connections[index].showedLife(at: now)
        // Most answers have no body, or only an empty frame that ends them.
        let limit = bytes.readableBytes == 0 ? 0 : bodyByteLimit(connections[index].request(on: stream))
        let (answer, isTooLong) = connections[index].took(bytes, isLast: isLast, on: stream, byteLimit: limit)
        // A body of this length is not APNs' JSON. Resets the stream: the rest would need a window for each stream, and a push's
        // status says enough.
        if isTooLong { actions.append(.reset(connection: connection, stream: stream)) }
        if let answer { completed(stream, with: answer, onConnectionAt: index, at: now, into: &actions) }
    }

    private func bodyByteLimit(_ request: RequestID?) -> Int {
        max(ClientLimits.errorBodyByteLimit, request.flatMap { requests[$0]?.answerByteLimit } ?? 0)
    }

    /// Ends a stream after the server's RST_STREAM.
    ///
    /// REFUSED_STREAM guarantees that nothing was processed
    /// ([RFC 9113 §8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)), unless an answer had begun.
    mutating func streamWasReset(
        connection: ConnectionID, stream: StreamID, code: HTTP2Code, at now: ClockReading
    ) -> [PoolAction] {
        guard let index = index(of: connection) else { return [] }
        connections[index].showedLife(at: now)
        var actions: [PoolAction] = []
        if code == .refusedStream, !connections[index].hasHead(of: stream) {
            guard let closed = connections[index].close(stream, at: now) else { return [] }
            actions += requeue([closed.request], why: "REFUSED_STREAM")
        } else {
            actions += endedEarly(stream, connectionAt: index, why: "RST_STREAM, \(code)", at: now)
        }
        // After the stream has been closed, because the connection then takes no more streams than it has.
        if code == .refusedStream { connections[index].wasRefusedAStream() }
        return actions + afterStreamsEnded(on: connection, at: now)
    }

    /// Ends a stream that the server has ended before its answer was complete.
    mutating func endedEarly(
        _ stream: StreamID, connectionAt index: Int, why: String, at now: ClockReading
    ) -> [PoolAction] {
        let head = connections[index].head(of: stream)
        guard let closed = connections[index].close(stream, at: now),
            let request = requests.remove(closed.request)
        else { return [] }
        if head?.status == 200 {
            connections[index].answered(at: now)
            isOfUse(connectionAt: index)
        }
        return [request.end(closed.request, head, or: .unknown("APNs ended the stream (\(why)) before it answered."))]
    }

    private mutating func completed(
        _ stream: StreamID, with partial: PoolConnection.PartialAnswer, onConnectionAt index: Int, at now: ClockReading,
        into actions: inout [PoolAction]
    ) {
        let connection = connections[index].id
        guard let closed = connections[index].close(stream, at: now) else { return }
        defer { streamsEnded(on: connection, at: now, into: &actions) }
        guard let head = partial.head else {
            guard requests.remove(closed.request) != nil else { return }
            return actions.append(.fail(closed.request, .unknown("APNs ended the stream without a status.")))
        }
        connections[index].answered(at: now)
        answersAreSlow = connections[index].isSlow(now.steady - closed.openedAt, limits)
        let isChannel = requests[closed.request]?.answerByteLimit != nil
        guard head.status != 200, !isChannel || !(200..<300).contains(head.status) else {
            isOfUse(connectionAt: index)
            guard requests.remove(closed.request) != nil else { return }
            let answer = APNsAnswer(head: head, error: nil, json: isChannel ? partial.body : nil)
            return actions.append(.answer(closed.request, answer))
        }
        let error = APNsErrorBody(status: head.status, body: partial.body)
        actions += refused(
            closed, answer: APNsAnswer(head: head, error: error), reason: error.reason, onConnectionAt: index,
            at: now)
    }

    /// Handles a rejection.
    ///
    /// If the rejection concerns the connection or its token, the pool sends the request again. All other rejections go to the
    /// caller.
    private mutating func refused(
        _ stream: PoolConnection.Stream, answer: APNsAnswer, reason: APNsReason, onConnectionAt index: Int,
        at now: ClockReading
    ) -> [PoolAction] {
        guard let request = requests[stream.request], request.sends <= limits.resends, phase != .stopped else {
            return finish(stream.request, with: answer)
        }
        if connections[index].credentialGeneration != credentialGeneration, answer.head.status == 403 {
            return requeue([stream.request], why: reason.rawValue)
        }
        switch reason {
        case .expiredProviderToken:
            return tokenExpired(stream, answer: answer, onConnectionAt: index, at: now)
        case .invalidProviderToken:
            return tokenInvalid(stream, answer: answer, onConnectionAt: index, at: now)
        case .tooManyProviderTokenUpdates:
            return replaceConnection(at: index, reason: reason, now: now)
                + requeue([stream.request], why: reason.rawValue)
        default:
            isOfUse(connectionAt: index)
            return finish(stream.request, with: answer)
        }
    }

    private mutating func isOfUse(connectionAt index: Int) {
        connections[index].isProven = true
        pace.succeeded()
        if hindrance.problem != nil { hindrance = PoolHindrance() }
    }

    /// Handles a rejection of a token's date, signature or key.
    ///
    /// Only a date that lies in the future can be mended here: the wall clock has been set right since the token was made.
    private mutating func tokenInvalid(
        _ stream: PoolConnection.Stream, answer: APNsAnswer, onConnectionAt index: Int, at now: ClockReading
    ) -> [PoolAction] {
        guard let token = stream.token, tokens.invalid(token, at: now) != .giveUp else {
            isOfUse(connectionAt: index)
            return finish(stream.request, with: answer)
        }
        return changeConnection(at: index, reason: .invalidProviderToken, for: stream.request, at: now)
    }

    /// Sends a request again with a new token on a new connection.
    ///
    /// This happens only once after the clock was set, so the next attempt to connect needs no pause.
    private mutating func changeConnection(
        at index: Int, reason: APNsReason, for request: RequestID, at now: ClockReading
    ) -> [PoolAction] {
        connections[index].isProven = true
        return replaceConnection(at: index, reason: reason, now: now) + requeue([request], why: reason.rawValue)
    }

    private mutating func tokenExpired(
        _ stream: PoolConnection.Stream, answer: APNsAnswer, onConnectionAt index: Int, at now: ClockReading
    ) -> [PoolAction] {
        guard let token = stream.token else { return finish(stream.request, with: answer) }
        guard connections[index].token?.number == token.number, connections[index].phase == .ready else {
            return requeue([stream.request], why: "ExpiredProviderToken")
        }
        switch tokens.expired(token, takenAt: connections[index].tokenTakenAt, at: now) {
        case .changeToken:
            connections[index].token = nil
            return requeue([stream.request], why: "ExpiredProviderToken")
        case .changeConnection:
            return changeConnection(at: index, reason: .expiredProviderToken, for: stream.request, at: now)
        case .giveUp:
            return tokens.doubtClock(by: answer.head.date, at: now) + finish(stream.request, with: answer)
        }
    }

    /// Stops using a connection, so that later requests use another one.
    ///
    /// The next attempt to connect waits, unless the connection is proven (``PoolConnection/isProven``): APNs has answered a
    /// request on it, not counting errors about the connection or its token. Without this wait, a server that rejects everything
    /// would get a new connection for every notification.
    private mutating func replaceConnection(
        at index: Int, reason: APNsReason, now: ClockReading
    ) -> [PoolAction] {
        guard connections[index].phase == .ready else { return [] }
        return retire(connectionAt: index, .connectionReplaced(connections[index].id, reason: reason), at: now)
    }

    /// Sends queued requests after streams have ended, and closes the connection if it takes no more requests and has no
    /// streams.
    mutating func afterStreamsEnded(on connection: ConnectionID, at now: ClockReading) -> [PoolAction] {
        var actions: [PoolAction] = []
        streamsEnded(on: connection, at: now, into: &actions)
        return actions
    }

    /// Appends the actions that follow the end of streams: sending queued requests, and closing a connection that is no
    /// longer used.
    ///
    /// This method runs for every answer, so it appends to an array instead of returning a new one.
    private mutating func streamsEnded(
        on connection: ConnectionID, at now: ClockReading, into actions: inout [PoolAction]
    ) {
        if let index = index(of: connection), connections[index].phase == .draining {
            actions += closeIfDrained(connection)
        }
        fill(at: now, into: &actions)
        if phase != .running { actions += stopIfDone() }
    }
}
