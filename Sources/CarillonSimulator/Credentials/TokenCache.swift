import Synchronization

/// Remembers what was found out about each token, so that a signature is checked once and not with every push.
final class TokenCache: Sendable {
    private let verifier: TokenVerifier
    private let results = Mutex<[String: Result<VerifiedToken, Rejection>]>([:])

    init(verifier: TokenVerifier) { self.verifier = verifier }

    func verify(_ token: String) throws(Rejection) -> VerifiedToken {
        if let known = results.withLock({ $0[token] }) { return try known.get() }
        let result = Result { () throws(Rejection) in try verifier.verify(token) }
        results.withLock { results in
            if results.count >= SimulatorLimits.verifiedTokenLimit { results.removeAll() }
            results[token] = result
        }
        return try result.get()
    }

    func key(_ id: String) -> SimulatorKey? { verifier.keys[id]?.key }
}
