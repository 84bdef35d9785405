/// The queue of calls that write: one connection, and one turn at a time.
protocol WriteQueue: Sendable {
    /// Enqueues `turn`, which gets the connection, and returns at once.
    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void)
}
