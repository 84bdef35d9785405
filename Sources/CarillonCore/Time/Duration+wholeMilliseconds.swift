extension Duration {
    /// The duration in milliseconds, rounded towards zero; what no `Int64` holds is the largest or the smallest.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedClamped(by: 1000).addedClamped(attoseconds / 1_000_000_000_000_000)
    }
}
