import CarillonCore
import Synchronization

/// Caches the result of verifying each token, so that its signature is checked once and not with every push.
///
/// It also remembers the tokens that have been declared expired although they are not an hour old.
final class TokenCache: Sendable {
    private struct State {
        var results: [String: Result<VerifiedToken, Rejection>] = [:]
        var expired: Set<String> = []
    }

    private let verifier: TokenVerifier
    /// Converts a token's `iat`, when it is first seen, into the simulator clock's time.
    private let presentOfSenders: @Sendable (Timestamp) -> Timestamp
    private let state = Mutex(State())
    /// Whether ``State/expired`` contains any token; it spares the usual request the lock.
    private let hasExpired = Atomic(false)

    /// - Parameters:
    ///   - verifier: reads new tokens.
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

    /// Makes a token expired on every connection, whatever its age.
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
