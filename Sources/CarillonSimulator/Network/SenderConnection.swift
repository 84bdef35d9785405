import CarillonCore

/// What the simulator knows about one connection while it is open.
struct SenderConnection: Sendable {
    /// Counted from 1.
    let number: Int
    var credential: ConnectionCredential
    /// Makes the ids of this connection's requests; one for each connection, so that none waits for another.
    var generator: SeededGenerator
}
