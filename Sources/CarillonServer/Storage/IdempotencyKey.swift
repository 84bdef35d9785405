/// The caller's name for one request; each API key has names of its own.
package struct IdempotencyKey: Sendable, Hashable {
    package var owner: String
    package var key: String

    package init(owner: String, key: String) {
        self.owner = owner
        self.key = key
    }
}
