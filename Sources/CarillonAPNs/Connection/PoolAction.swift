/// An action that the pool asks for; the shell performs it and decides nothing.
enum PoolAction: Sendable, Equatable {
    /// Resolve the host, connect, and report the server's first SETTINGS or the end of the attempt.
    case connect(ConnectionID)
    /// Write the request as this stream; without a token where the sender authenticates with a certificate.
    case open(RequestID, connection: ConnectionID, stream: StreamID, token: IssuedProviderToken?)
    /// Send RST_STREAM with CANCEL: nobody waits for this answer any more.
    case reset(connection: ConnectionID, stream: StreamID)
    /// Send PING.
    case ping(ConnectionID)
    /// Send GOAWAY and close; there is nothing in flight that anybody waits for.
    case close(ConnectionID)
    /// The request has APNs' answer.
    case answer(RequestID, APNsAnswer)
    /// The request will never have an answer.
    case fail(RequestID, APNsError)
    /// Write a line to the log.
    case warn(PoolWarning)
    /// The shutdown is complete: no requests, no connections.
    case stopped
}
