/// One provider token: its number, and when it was made.
///
/// The text is made from it where it is written to the wire.
struct IssuedProviderToken: Sendable, Hashable {
    /// Counts the tokens of a client, from 1.
    let number: Int
    /// Which of the client's credentials signs it, counted from 0.
    let credentialGeneration: Int
    let made: ClockReading
}
