/// The caller's name for one request; each API key has names of its own.
package struct IdempotencyKey: Sendable, Hashable {
    var owner: String
    var key: String
}
