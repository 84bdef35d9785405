import CarillonCore

/// The simulator's record of one open connection.
struct SenderConnection: Sendable {
    /// The number of the connection, from 1.
    let number: Int
    var credential: ConnectionCredential
    /// The generator of this connection's request ids; each connection has its own, so that none waits for another.
    var generator: SeededGenerator
}
