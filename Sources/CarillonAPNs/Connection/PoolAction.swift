import CarillonCore

/// Numbers a send of one client, from 1.
typealias RequestID = Int
/// Numbers a connection of one client, from 1.
typealias ConnectionID = Int
/// An HTTP/2 stream id: odd, and rising within a connection.
typealias StreamID = Int

/// What the pool wants done. The shell does it and decides nothing.
enum PoolAction: Sendable, Equatable {
    /// Resolve the host, connect, and report the server's first SETTINGS or the end of the attempt.
    case connect(ConnectionID)
    /// Write the request as this stream; `nil` as token: the certificate speaks for the sender.
    case open(RequestID, connection: ConnectionID, stream: StreamID, token: IssuedProviderToken?)
    /// Send RST_STREAM with CANCEL: nobody waits for this answer any more.
    case reset(connection: ConnectionID, stream: StreamID)
    case ping(ConnectionID)
    /// Send GOAWAY and close; there is nothing in flight that anybody waits for.
    case close(ConnectionID)
    /// The request has APNs' answer.
    case answer(RequestID, APNsAnswer)
    /// The request will never have an answer.
    case fail(RequestID, APNsError)
    /// A token is refused for good, or the clock is wrong: worth a line in the log.
    case warn(PoolWarning)
    /// The shutdown is complete: no requests, no connections.
    case stopped
}

/// What a person should know about; the shell logs it.
enum PoolWarning: Sendable, Equatable {
    case connectionLost(ConnectionID, inFlight: Int, why: String)
    case connectFailed(ConnectionID, attempt: Int, retryIn: Duration, why: String)
    case goAway(ConnectionID, reason: String, sentAgain: Int)
    case connectionReplaced(ConnectionID, reason: APNsReason)
    case clockDoubtful
}

/// An answer as it came, before the notification's own id is put to it.
struct APNsAnswer: Sendable, Hashable {
    let head: APNsAnswerHead
    /// What APNs says went wrong; `nil` with status 200.
    let refusal: APNsRefusal?
}
