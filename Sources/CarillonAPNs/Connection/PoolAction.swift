/// An action that the pool decides on.
///
/// ``ClientLoop`` performs it.
enum PoolAction: Sendable, Equatable {
    /// Resolve the host, connect, and report the server's first SETTINGS or the failure.
    case connect(ConnectionID)
    /// Open this stream and write the request on it.
    ///
    /// `token` is `nil` if the credential is a certificate.
    case open(RequestID, connection: ConnectionID, stream: StreamID, token: IssuedProviderToken?)
    /// Send RST_STREAM with CANCEL, because nobody needs this stream's answer any more.
    case reset(connection: ConnectionID, stream: StreamID)
    /// Send PING.
    case ping(ConnectionID)
    /// Send GOAWAY and close the connection.
    ///
    /// No request on this connection still awaits an answer.
    case close(ConnectionID)
    /// End the request with APNs' answer.
    case answer(RequestID, APNsAnswer)
    /// End the request with an error, because the request will never have an answer.
    case fail(RequestID, APNsError)
    /// Write a line to the log.
    case warn(PoolWarning)
    /// End the shutdown: no requests and no connections are left.
    case stopped
}
