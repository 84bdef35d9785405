import CarillonCore

/// The simulator's record of one open connection.
struct SenderConnection: Sendable {
    /// The number of the connection, counted from 1.
    let number: Int
    var credential: ConnectionCredential
    /// The generator of this connection's request ids.
    ///
    /// Each connection has its own generator, so that connections do not wait for each other.
    var generator: SeededGenerator
}
