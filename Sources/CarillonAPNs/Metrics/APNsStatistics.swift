import CarillonCore

/// The counts and latencies of a client since it was made, as ``APNsClient/statistics`` returns them.
///
/// Requests that manage channels do not count as pushes. All counts only increase, except for ``queued``, ``inFlight`` and
/// ``connections``, which describe the present.
public struct APNsStatistics: Sendable, Hashable {
    /// The number of pushes that APNs accepted.
    public internal(set) var accepted = 0
    /// The number of pushes that APNs rejected, by reason.
    ///
    /// Reasons beyond ``reasonLimit`` are counted under `other`.
    public internal(set) var rejected: [APNsReason: Int] = [:]
    /// The number of pushes that ended without an answer, by the error's code.
    public internal(set) var failed: [APNsError.Code: Int] = [:]
    /// The times from a push's arrival on the client's event loop to its outcome (an answer or an error), by the client's
    /// clock.
    public internal(set) var latency = LatencyHistogram()

    /// The present number of requests that wait for a connection with room.
    public internal(set) var queued = 0
    /// The present number of requests that await their answer.
    public internal(set) var inFlight = 0
    /// The present number of connections that accept requests.
    public internal(set) var connections = 0

    /// The number of connections that became ready, after TLS and SETTINGS.
    public internal(set) var connectionsOpened = 0
    /// The number of failed attempts to connect: refused, timed out, not trusted or unusable.
    public internal(set) var connectionsFailed = 0
    /// The number of connections that ended without GOAWAY while they were in use.
    public internal(set) var connectionsLost = 0
    /// The number of GOAWAY frames from APNs.
    public internal(set) var goAways = 0
    /// The number of times that the client itself sent a request again, because APNs certainly had not processed it.
    public internal(set) var sentAgain = 0
    /// The number of provider tokens that were signed.
    public internal(set) var providerTokens = 0

    /// The greatest number of APNs' rejection reasons that are counted separately: 100.
    ///
    /// Apple documents 41 reasons.
    public static let reasonLimit = 100

    mutating func count(_ result: Result<APNsOutcome, APNsError>) {
        switch result {
        case .success(.accepted): accepted += 1
        case .success(.rejected(let rejection)):
            let isKnown = rejected[rejection.reason] != nil || rejected.count < Self.reasonLimit
            rejected[isKnown ? rejection.reason : APNsReason(rawValue: "other"), default: 0] += 1
        case .failure(let error): failed[error.code, default: 0] += 1
        }
    }

    mutating func take(_ tally: PoolTally) {
        queued = tally.queued
        inFlight = tally.inFlight
        connections = tally.connections
        connectionsOpened = tally.connectionsOpened
        connectionsFailed = tally.connectionsFailed
        connectionsLost = tally.connectionsLost
        goAways = tally.goAways
        sentAgain = tally.sentAgain
        providerTokens = tally.providerTokens
    }
}
