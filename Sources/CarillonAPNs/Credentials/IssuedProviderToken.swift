/// The number of a provider token and the time at which it was made, without the token's text.
///
/// ``TokenSigner`` makes the text when the token is first sent.
struct IssuedProviderToken: Sendable, Hashable {
    /// The number of the token within its client, from 1.
    let number: Int
    /// The number of the credential that signs the token, from 0.
    let credentialGeneration: Int
    let made: ClockReading
}
