/// A queue of functions that use the single writing connection; it runs one function at a time.
protocol WriteQueue: Sendable {
    /// Adds `turn` to the queue and returns at once.
    ///
    /// When the connection is free, the queue calls `turn` with the connection.
    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void)
}
