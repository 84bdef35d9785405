import CarillonCore

/// Decides which badge number counts: the newest that the service has sent.
///
/// The service counts the user's unread messages; the phone only shows the number. Pushes and answers of the service
/// overtake one another, and an answer from before a push must not undo it.
package struct BadgeState: Sendable, Hashable, Codable {
    /// When the service composed the number that is shown.
    private var newest: Timestamp?

    package init() {}

    /// Decides about a number that has come.
    ///
    /// - Parameter moment: when the service composed it, by its clock; `nil` for a number that the app itself sets, which
    ///   always counts.
    /// - Returns: whether the number is to be shown.
    package mutating func accepts(composedAt moment: Timestamp?) -> Bool {
        guard let moment else { return true }
        guard moment >= newest ?? moment else { return false }
        newest = moment
        return true
    }

    /// Joins what was shown while the store could not be read.
    package mutating func join(_ other: BadgeState) { newest = [newest, other.newest].compactMap(\.self).max() }
}
