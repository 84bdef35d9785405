/// The caller's key for one request; each API key has a key space of its own.
package struct IdempotencyKey: Sendable, Hashable {
    /// The id of the API key.
    var owner: String
    /// The value of the header `Idempotency-Key`.
    var key: String
}
