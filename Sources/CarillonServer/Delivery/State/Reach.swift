/// The progress of a push toward its phone: whether it may have arrived.
package enum Reach: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// The push cannot have reached the phone.
    case none = 0
    /// The push was handed to APNs, or is being handed over, and has no answer, so it may have reached the phone.
    case possible = 1
    /// APNs has accepted the push.
    case accepted = 2

    package static func < (one: Reach, other: Reach) -> Bool { one.rawValue < other.rawValue }
}
