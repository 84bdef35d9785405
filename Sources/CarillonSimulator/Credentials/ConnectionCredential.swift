import CarillonCore

/// Performs the part of the check ``RequestCheck/credential`` that depends on earlier requests of a connection.
///
/// - A sender may open one stream until its first request with a valid token. A sender with a client certificate may open all
///   streams from the start.
/// - The token may change at most every 20 minutes; otherwise the sender gets TooManyProviderTokenUpdates.
/// - All tokens of a connection must belong to one team.
/// - All tokens of a connection must be signed with the key of the first token, or with a key that is configured as related to
///   that key (``SimulatorKey/relatedKeyID``).
struct ConnectionCredential: Sendable {
    /// The shortest time between two changes of a connection's token.
    ///
    /// Apple: "Refresh your token no more than once every 20 minutes and no less than once every 60 minutes" ([Establishing a
    /// token-based
    /// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)).
    static let shortestUpdateInterval = Duration.seconds(20 * 60)
    /// The age above which a provider token is rejected with ExpiredProviderToken: an hour.
    static let longestTokenLife = Duration.seconds(60 * 60)

    private struct CurrentToken {
        /// The whole `authorization` header, which the sender repeats with every push.
        var authorization: String
        /// The token in ``authorization``.
        var text: String
        var token: VerifiedToken
        var since: Timestamp
        var identity: SenderIdentity
    }

    let environment: APNsEnvironment
    let teamTopics: Set<String>
    let certificate: ClientCertificate?

    private(set) var hasProvenItself: Bool
    private var firstKey: SimulatorKey?
    /// The latest provider token of the connection for each signing key.
    ///
    /// There is more than one only if related keys (``SimulatorKey/relatedKeyID``) share the connection.
    private var latest: [CurrentToken] = []

    init(environment: APNsEnvironment, teamTopics: Set<String>, certificate: ClientCertificate?) {
        self.environment = environment
        self.teamTopics = teamTopics
        self.certificate = certificate
        hasProvenItself = certificate?.isTrusted == true
    }

    /// Returns the identity that the request's provider token or the connection's client certificate proves.
    ///
    /// - Parameters:
    ///   - authorization: the header's value; `nil` if it is absent.
    ///   - tokens: the cache of verified tokens.
    ///   - now: the time for checking tokens and certificates.
    /// - Returns: the sender's identity.
    /// - Throws: ``Rejection`` by the check ``RequestCheck/credential``.
    mutating func identify(
        _ authorization: String?, tokens: TokenCache, at now: Timestamp
    ) throws(Rejection) -> SenderIdentity {
        if let certificate { return try certificate.identify(in: environment, at: now) }
        if let authorization, let known = latest.first(where: { $0.authorization == authorization }) {
            try Self.checkAge(known.token, isExpired: tokens.isExpired(known.text), at: now)
            return known.identity
        }
        let text = try Self.bearerToken(authorization)
        let token = try tokens.verify(text)
        try Self.checkAge(token, isExpired: tokens.isExpired(text), at: now)
        guard let key = tokens.key(token.keyID) else { throw Self.unrelated(token.keyID) }
        guard key.environments.contains(environment) else {
            throw Rejection(
                .badEnvironmentKeyInToken, by: .credential,
                detail: "the key \(key.keyID) is not for the environment \(environment.rawValue)")
        }
        try checkRelation(of: key)
        try checkUpdate(to: token, tokens: tokens, at: now)
        let identity = SenderIdentity(topics: key.topics ?? teamTopics, isCertificate: false, note: token.note)
        latest.removeAll { $0.token.keyID == token.keyID }
        latest.append(
            CurrentToken(
                authorization: authorization ?? "", text: text, token: token, since: now, identity: identity))
        firstKey = firstKey ?? key
        hasProvenItself = true
        return identity
    }

    /// Marks a request's provider token as expired, because an injected fault has told the sender that the token is expired.
    ///
    /// - Parameters:
    ///   - authorization: the value of the request's header `authorization`. Without a provider token in it, nothing happens.
    ///   - tokens: the cache of verified tokens, in which the token is marked.
    static func expire(_ authorization: String?, tokens: TokenCache) {
        if let text = try? bearerToken(authorization) { tokens.expire(text) }
    }

    static func bearerToken(_ authorization: String?) throws(Rejection) -> String {
        guard let authorization else {
            throw Rejection(
                .missingProviderToken, by: .credential,
                detail: "there is neither an authorization header nor a client certificate")
        }
        let words = authorization.split(separator: " ")
        guard words.first?.lowercased() == "bearer", words.count <= 2 else {
            throw Rejection(
                .invalidProviderToken, by: .credential, detail: "the authorization header is not: bearer <token>")
        }
        guard words.count == 2 else {
            throw Rejection(
                .missingProviderToken, by: .credential, detail: "the authorization header has no token after bearer")
        }
        return String(words[1])
    }

    private static func checkAge(_ token: VerifiedToken, isExpired: Bool, at now: Timestamp) throws(Rejection) {
        guard !isExpired else {
            throw Rejection(
                .expiredProviderToken, by: .credential,
                detail: "the fault plan or a script has ended this token's time: sign a new one")
        }
        let age = now - token.issuedAt
        guard age <= longestTokenLife else {
            throw Rejection(
                .expiredProviderToken, by: .credential,
                detail: "the token was issued \(age.components.seconds) s ago; it is valid for 3600 s")
        }
        guard age >= .zero - SimulatorLimits.clockTolerance else {
            throw Rejection(
                .invalidProviderToken, by: .credential,
                detail: "the token's iat lies \(-age.components.seconds) s in the future")
        }
    }

    private func checkRelation(of key: SimulatorKey) throws(Rejection) {
        guard let firstKey, firstKey.keyID != key.keyID else { return }
        guard firstKey.teamID == key.teamID else {
            throw Rejection(
                .invalidProviderToken, by: .credential,
                detail: "this connection belongs to the team \(firstKey.teamID); another team needs another connection")
        }
        guard firstKey.relatedKeyID == key.keyID || key.relatedKeyID == firstKey.keyID else {
            throw Self.unrelated(key.keyID)
        }
    }

    private func checkUpdate(
        to token: VerifiedToken, tokens: TokenCache, at now: Timestamp
    ) throws(Rejection) {
        // Two related keys may take turns. Each key's own token must not change too often. A sender that was told that its
        // token has expired must send a new one.
        guard let current = latest.first(where: { $0.token.keyID == token.keyID }), !tokens.isExpired(current.text)
        else { return }
        // The longer interval counts, because a sender may open a connection shortly before its regular update.
        let interval = max(now - current.since, token.issuedAt - current.token.issuedAt)
        guard interval >= Self.shortestUpdateInterval else {
            throw Rejection(
                .tooManyProviderTokenUpdates, by: .credential,
                detail: "the token changed after \(interval.components.seconds) s; at most every 1200 s is allowed")
        }
    }

    private static func unrelated(_ keyID: String) -> Rejection {
        Rejection(
            .unrelatedKeyIDInToken, by: .credential,
            detail: "the key \(keyID) is not related to the key of this connection's first token: open another one")
    }
}
