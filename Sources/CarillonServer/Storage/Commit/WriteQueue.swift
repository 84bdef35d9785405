/// A queue for the single writing connection, which runs one function (a turn) at a time.
protocol WriteQueue: Sendable {
    /// Enqueues `turn` and returns at once.
    ///
    /// When its time comes, `turn` gets the connection.
    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void)
}
