import CarillonCore

/// Decides which provider token each connection uses, and when the client makes a new token.
///
/// Tokens are made on demand, never by a timer, and shared by all connections.
///
/// Apple refuses a token that is older than an hour, and allows a connection to change its token every 20 minutes at most. Both
/// rules hold by construction: a connection takes a token that is at most 30 minutes old, and keeps the token until its age is
/// 50 minutes. A token is made only when the last one is more than 30 minutes old, or when APNs has refused it
/// (``expired(_:takenAt:at:)``). Ages are measured on the monotonic clock, so that setting the wall clock cannot cause an early
/// change. See [Establishing a token-based
/// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)
struct ProviderTokens: Sendable {
    /// The shortest time for which a connection keeps a token.
    ///
    /// Apple: a provider token may be refreshed "no more than once every 20 minutes" on a connection.
    static let shortestStay: Duration = .seconds(20 * 60)

    private(set) var latest: IssuedProviderToken?
    private var credentialGeneration = 0
    /// The number of provider tokens made so far.
    private(set) var madeCount = 0
    /// The time on the monotonic clock at which a token was last replaced although it was new; `nil` for never.
    private var newReplaced: Timestamp?
    /// The time on the monotonic clock of the last warning that the wall clock may be wrong; `nil` for none.
    private var clockDoubted: Timestamp?

    /// Returns a token for a connection that has none or must replace its token; makes a new token if the last one is too old.
    mutating func take(at now: ClockReading) -> IssuedProviderToken {
        if let latest, mayBeTaken(latest, at: now) { return latest }
        return make(at: now)
    }

    /// Returns whether a connection must replace its token before its next request.
    ///
    /// `taken` is the time on the monotonic clock at which the connection began to use `token`.
    func mustChange(_ token: IssuedProviderToken, takenAt taken: Timestamp, at now: ClockReading) -> Bool {
        guard now.steady - taken >= Self.shortestStay else { return false }
        return now.steady - token.made.steady >= ClientLimits.tokenKeptUntilAge || !wallAgeIsPlausible(token, at: now)
    }

    /// The pool's reaction to APNs' rejections `ExpiredProviderToken` and `InvalidProviderToken`.
    enum AfterExpiry: Equatable {
        /// Send the request again on this connection, which may change its token now.
        case changeToken
        /// Send the request again on another connection: a new token would help, but this connection changed its token too
        /// recently.
        case changeConnection
        /// Give up: this token has just replaced one that was new too, so APNs would reject the next one as well.
        case giveUp
    }

    /// Withdraws a token that APNs has rejected as expired, and returns the pool's reaction.
    ///
    /// Apple asks for a new token after this rejection ([Handling notification
    /// responses](https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns)), even if
    /// the rejected one is new. One such replacement in ``shortestStay`` is enough: if APNs rejects that token too, this machine's
    /// clock is slow, and each further token would only cost another connection.
    ///
    /// `taken` is the time on the monotonic clock at which the connection began to use `token`.
    mutating func expired(_ token: IssuedProviderToken, takenAt taken: Timestamp, at now: ClockReading) -> AfterExpiry {
        let mayChange = now.steady - taken >= Self.shortestStay
        if latest?.number != token.number {
            return mayChange ? .changeToken : .changeConnection
        }
        if mayChange {
            latest = nil
            return .changeToken
        }
        if !clockHasJumped(since: token.made, at: now) {
            if let newReplaced, now.steady - newReplaced < Self.shortestStay { return .giveUp }
            newReplaced = now.steady
        }
        latest = nil
        return .changeConnection
    }

    /// Returns a warning that this machine's clock may be wrong, if one is due.
    ///
    /// Each push gets such a rejection until the clock is set, so a warning follows the last one after
    /// ``ClientLimits/clockReminder``. `date` is that of APNs' answer; `nil` if the answer has none.
    mutating func doubtClock(by date: Timestamp?, at now: ClockReading) -> [PoolAction] {
        if let clockDoubted, now.steady - clockDoubted < ClientLimits.clockReminder { return [] }
        clockDoubted = now.steady
        return [.warn(.clockDoubtful(lead: date.map { now.wall - $0 }))]
    }

    /// Withdraws a token that APNs has rejected as invalid, if its date may be the reason.
    ///
    /// A token that was made while the wall clock was fast lies in the future once the clock has been set right, and APNs refuses
    /// it until then. A new token helps at once, on a new connection.
    ///
    /// - Returns: the pool's reaction; ``AfterExpiry/giveUp`` if the token does not lie in the future.
    mutating func invalid(_ token: IssuedProviderToken, at now: ClockReading) -> AfterExpiry {
        guard token.made.wall > now.wall else { return .giveUp }
        if latest?.number == token.number { latest = nil }
        return .changeConnection
    }

    /// Makes the next call of ``take(at:)`` return a new token, which is signed with the client's new key.
    ///
    /// - Parameter generation: the number of times that the client's key has been replaced, including this time.
    mutating func replaceKey(generation: Int) {
        credentialGeneration = generation
        latest = nil
    }

    private func mayBeTaken(_ token: IssuedProviderToken, at now: ClockReading) -> Bool {
        let age = now.steady - token.made.steady
        // APNs refuses a token from the future, however new it is.
        guard now.wall - token.made.wall >= .zero - ClientLimits.clockJump else { return false }
        if age < Self.shortestStay { return true }
        return age <= ClientLimits.tokenTakenUntilAge && wallAgeIsPlausible(token, at: now)
    }

    private mutating func make(at now: ClockReading) -> IssuedProviderToken {
        madeCount += 1
        let token = IssuedProviderToken(number: madeCount, credentialGeneration: credentialGeneration, made: now)
        latest = token
        return token
    }

    /// Returns whether the token, by the wall clock, is neither too old nor from the future.
    ///
    /// APNs compares `iat` with its own wall clock.
    private func wallAgeIsPlausible(_ token: IssuedProviderToken, at now: ClockReading) -> Bool {
        let age = now.wall - token.made.wall
        return age >= .zero - ClientLimits.clockJump && age < ClientLimits.tokenKeptUntilAge
    }

    private func clockHasJumped(since then: ClockReading, at now: ClockReading) -> Bool {
        let difference = (now.wall - then.wall) - (now.steady - then.steady)
        return difference > ClientLimits.clockJump || difference < .zero - ClientLimits.clockJump
    }
}
