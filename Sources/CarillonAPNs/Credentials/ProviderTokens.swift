import CarillonCore

/// One provider token: its number, and when it was made. The text is made from it where it is written to the wire.
struct IssuedProviderToken: Sendable, Hashable {
    /// Counts the tokens of a client, from 1.
    let number: Int
    /// Which of the client's credentials signs it, counted from 0.
    let credentialGeneration: Int
    let made: Moment
}

/// Decides which provider token goes where and when a new one is made. Tokens are made when they are needed, never by
/// a timer, and shared by all connections.
///
/// Apple: a token is refused when it is older than an hour, and on one connection it may change no more than every 20
/// minutes. Both hold by construction: a connection takes a token that is at most 30 minutes old and keeps it until it
/// is 50 minutes old, so it keeps each for at least 20; and a token is made only when the last one is more than 30
/// minutes old. Ages are measured on the steady clock, so that setting the wall clock cannot cause an early change.
/// [Establishing a token-based connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)
struct ProviderTokens: Sendable {
    static let shortestStay: Duration = .seconds(20 * 60)
    static let takenUntilAge: Duration = .seconds(30 * 60)
    static let keptUntilAge: Duration = .seconds(50 * 60)
    /// How far wall and steady clock must have parted for a new token to be better than a refused one.
    static let clockJump: Duration = .seconds(5 * 60)

    private(set) var latest: IssuedProviderToken?
    private var credentialGeneration = 0
    /// How many were made so far.
    private(set) var madeCount = 0

    /// The token for a connection that has none yet, or has to change its own.
    mutating func take(at now: Moment) -> IssuedProviderToken {
        if let latest, mayBeTaken(latest, at: now) { return latest }
        return make(at: now)
    }

    /// Whether a connection that took `token` at `taken` (steady) has to change it before its next request.
    func mustChange(_ token: IssuedProviderToken, takenAt taken: Timestamp, at now: Moment) -> Bool {
        guard now.steady - taken >= Self.shortestStay else { return false }
        return now.steady - token.made.steady >= Self.keptUntilAge || !wallAgeIsPlausible(token, at: now)
    }

    /// What to do after APNs answered `ExpiredProviderToken` to a request that carried `token`.
    enum AfterExpiry: Equatable {
        /// The connection may change its token now: send again on it.
        case changeToken
        /// A new token would help, but this connection has changed too recently: send again on another one.
        case changeConnection
        /// A new token would carry the same time and be refused too.
        case giveUp
    }

    /// APNs answered `ExpiredProviderToken`: the token is never handed out again.
    mutating func expired(_ token: IssuedProviderToken, takenAt taken: Timestamp, at now: Moment) -> AfterExpiry {
        let mayChange = now.steady - taken >= Self.shortestStay
        if latest?.number != token.number {
            return mayChange ? .changeToken : .changeConnection
        }
        if mayChange {
            latest = nil
            return .changeToken
        }
        guard clockHasJumped(since: token.made, at: now) else { return .giveUp }
        latest = nil
        return .changeConnection
    }

    /// The key was replaced: every connection opened from now on uses the new one.
    mutating func replaceKey(generation: Int) {
        credentialGeneration = generation
        latest = nil
    }

    private func mayBeTaken(_ token: IssuedProviderToken, at now: Moment) -> Bool {
        let age = now.steady - token.made.steady
        if age < Self.shortestStay { return true }
        return age <= Self.takenUntilAge && wallAgeIsPlausible(token, at: now)
    }

    private mutating func make(at now: Moment) -> IssuedProviderToken {
        madeCount += 1
        let token = IssuedProviderToken(number: madeCount, credentialGeneration: credentialGeneration, made: now)
        latest = token
        return token
    }

    /// By the wall clock, which is what APNs compares `iat` with, the token is neither old nor from the future.
    private func wallAgeIsPlausible(_ token: IssuedProviderToken, at now: Moment) -> Bool {
        let age = now.wall - token.made.wall
        return age >= .zero - Self.clockJump && age < Self.keptUntilAge
    }

    private func clockHasJumped(since then: Moment, at now: Moment) -> Bool {
        let difference = (now.wall - then.wall) - (now.steady - then.steady)
        return difference > Self.clockJump || difference < .zero - Self.clockJump
    }
}
