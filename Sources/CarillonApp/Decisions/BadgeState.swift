import CarillonCore

/// Which word about the number on the icon is the newest: pushes and the service's answers overtake one another, and an
/// answer from before a push must not undo it.
public struct BadgeState: Sendable, Hashable, Codable {
    private var newest: Timestamp?

    public init() {}

    /// - Parameter moment: when the service said it, by its clock; `nil` for what is true whatever it said.
    /// - Returns: whether it counts.
    public mutating func takes(saidAt moment: Timestamp?) -> Bool {
        guard let moment else { return true }
        guard moment >= newest ?? moment else { return false }
        newest = moment
        return true
    }
}
