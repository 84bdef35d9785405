import CarillonCore
import Synchronization

/// Caches verified tokens, so that a token's signature is not checked with every push.
///
/// The cache also remembers tokens that count as expired because of an injected fault.
final class TokenCache: Sendable {
    private struct State {
        var results: [String: Result<VerifiedToken, Rejection>] = [:]
        var expired: Set<String> = []
    }

    private let verifier: TokenVerifier
    /// Converts a new token's `iat`, a time by the sender's clock, to a time by the simulator's clock.
    private let presentOfSenders: @Sendable (Timestamp) -> Timestamp
    private let state = Mutex(State())
    /// Whether any token counts as expired because of an injected fault.
    ///
    /// The flag lets most requests skip the lock.
    private let hasExpired = Atomic(false)

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - verifier: verifies new tokens.
    ///   - clock: the simulator's clock.
    init(verifier: TokenVerifier, clock: any CarillonClock) {
        self.verifier = verifier
        let advanceable = clock as? AdvanceableClock
        presentOfSenders = { advanceable?.presentOfSenders($0) ?? $0 }
    }

    func verify(_ token: String) throws(Rejection) -> VerifiedToken {
        if let known = state.withLock({ $0.results[token] }) { return try known.get() }
        let result = Result { () throws(Rejection) in
            var verified = try verifier.verify(token)
            verified.issuedAt = presentOfSenders(verified.issuedAt)
            return verified
        }
        state.withLock { state in
            if state.results.count >= SimulatorLimits.verifiedTokenLimit { state.results.removeAll() }
            state.results[token] = result
        }
        return try result.get()
    }

    func key(_ id: String) -> SimulatorKey? { verifier.keys[id]?.key }

    /// Marks a token as expired on every connection, however new the token is.
    func expire(_ token: String) {
        state.withLock { state in
            if state.expired.count >= SimulatorLimits.verifiedTokenLimit { state.expired.removeAll() }
            state.expired.insert(token)
        }
        hasExpired.store(true, ordering: .relaxed)
    }

    func isExpired(_ token: String) -> Bool {
        hasExpired.load(ordering: .relaxed) && state.withLock { $0.expired.contains(token) }
    }
}
