/// Whether a push may have reached its phone.
package enum Reach: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// It cannot have.
    case none = 0
    /// It may have: it was handed to APNs, or is being handed over, and no answer has come.
    case possible = 1
    /// APNs has accepted it.
    case accepted = 2

    package static func < (one: Reach, other: Reach) -> Bool { one.rawValue < other.rawValue }
}
