/// What a look at a delegate's methods came to.
public struct DelegateReport: Sendable, Hashable {
    public internal(set) var nearMisses: [NearMiss] = []
    /// Why there was nothing to look at, in a sentence; `nil` when the look was taken.
    public internal(set) var unchecked: String?
}
