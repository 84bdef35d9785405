import CarillonCore

/// An event that an operator should know about.
///
/// ``ClientLoop`` logs the event.
enum PoolWarning: Sendable, Equatable {
    case connectionLost(ConnectionID, inFlight: Int, why: String)
    case connectFailed(ConnectionID, attempt: Int, retryIn: Duration, why: String)
    case goAway(ConnectionID, reason: String, sentAgain: Int)
    case connectionReplaced(ConnectionID, reason: APNsReason)
    /// A request's deadline has passed, and APNs has answered nothing on the connection since the request was sent.
    case connectionMute(ConnectionID)
    /// The connection accepts no request although none is in flight.
    case connectionUseless(ConnectionID, why: String)
    /// APNs rejected a new provider token as expired, so this machine's clock may be wrong. It is told once a minute at most.
    ///
    /// `lead` is the time by which this machine's clock is ahead of the `Date` header in APNs' answer; `nil` without that header.
    case clockDoubtful(lead: Duration?)
}
