/// One provider token: its number, and the time at which it was made.
///
/// The token's text is made when it is written to the wire.
struct IssuedProviderToken: Sendable, Hashable {
    /// The number of the token among those of its client, from 1.
    let number: Int
    /// The number of the credential that signs it, from 0.
    let credentialGeneration: Int
    let made: ClockReading
}
