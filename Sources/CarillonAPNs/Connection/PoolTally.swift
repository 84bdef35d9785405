/// The pool's counts for ``APNsStatistics``.
struct PoolTally: Sendable, Hashable {
    var queued = 0
    var inFlight = 0
    var connections = 0
    var connectionsOpened = 0
    var connectionsFailed = 0
    var connectionsLost = 0
    var goAways = 0
    var sentAgain = 0
    var providerTokens = 0
}

extension PoolTally {
    /// Makes the counts of a pool so far, with the present numbers of its requests and connections.
    init(of pool: Pool) {
        self = pool.tally
        queued = pool.requests.queuedCount
        inFlight = pool.requests.count - pool.requests.queuedCount
        connections = pool.connections.count { $0.phase == .ready }
        providerTokens = pool.tokens.madeCount
    }
}
