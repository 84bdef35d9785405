import CarillonCore

/// An event that an operator should know about.
///
/// ``ClientLoop`` logs it.
enum PoolWarning: Sendable, Equatable {
    case connectionLost(ConnectionID, inFlight: Int, why: String)
    case connectFailed(ConnectionID, attempt: Int, retryIn: Duration, why: String)
    case goAway(ConnectionID, reason: String, sentAgain: Int)
    case connectionReplaced(ConnectionID, reason: APNsReason)
    /// The connection has answered nothing since a request whose deadline has passed.
    case connectionMute(ConnectionID)
    /// The connection takes no requests although it has none.
    case connectionUseless(ConnectionID, why: String)
    /// A new provider token was refused as expired; the lead is this machine's, by the answer's `Date`.
    case clockDoubtful(lead: Duration?)
}
