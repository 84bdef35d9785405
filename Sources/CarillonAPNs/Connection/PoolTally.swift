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

extension Pool {
    /// The counts so far, with the present numbers of requests and connections.
    var currentTally: PoolTally {
        var tally = tally
        tally.queued = queuedCount
        tally.inFlight = requests.count - queuedCount
        tally.connections = connections.count { $0.phase == .ready }
        tally.providerTokens = tokens.madeCount
        return tally
    }
}
