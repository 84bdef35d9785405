/// The result of comparing the methods of an app's delegates with Apple's.
public struct DelegateReport: Sendable, Hashable {
    /// Methods that look like Apple's and that iOS never calls.
    public internal(set) var nearMisses: [NearMiss] = []
    /// The reason why a class could not be checked, in a sentence; `nil` if all were checked.
    public internal(set) var unchecked: String?
}
