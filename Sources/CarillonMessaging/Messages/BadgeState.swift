import CarillonCore

/// The rule that decides whether a badge number replaces the number on the app's icon: the number computed last wins.
///
/// The service counts the user's unread messages; the phone only shows the number. Numbers arrive in pushes and in the service's
/// answers, which may overtake each other, so a number that arrives late may be out of date.
package struct BadgeState: Sendable, Hashable, Codable {
    /// The time, by the service's clock, at which the service computed the number that this phone accepted last; `nil` if there
    /// is none.
    private var newest: Timestamp?

    package init() {}

    /// Decides whether a badge number must be shown on the app's icon.
    ///
    /// - Parameter moment: the time at which the service computed the number, by the service's clock. `nil` stands for a number
    ///   that the SDK itself sets; such a number is always shown.
    /// - Returns: `false` if the service computed the number before a number that was already shown.
    package func accepts(composedAt moment: Timestamp?) -> Bool {
        guard let moment, let newest else { return true }
        return moment >= newest
    }

    /// Remembers the time of a shown number.
    ///
    /// - Parameter moment: the time at which the service computed the number; `nil` changes nothing.
    package mutating func shown(composedAt moment: Timestamp?) { newest = [newest, moment].compactMap(\.self).max() }

    /// Merges the state of another process, or the state kept in memory while the store could not be read.
    package mutating func join(_ other: BadgeState) { newest = [newest, other.newest].compactMap(\.self).max() }
}
