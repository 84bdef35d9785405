/// Where calls that write take their turns: one connection, and one turn at a time.
protocol WriteQueue: Sendable {
    /// Gives `turn` the connection soon, and returns at once.
    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void)
}
