/// A queue for the single writing connection, which runs one turn at a time.
protocol WriteQueue: Sendable {
    /// Enqueues `turn` and returns at once.
    ///
    /// The turn gets the connection.
    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void)
}
