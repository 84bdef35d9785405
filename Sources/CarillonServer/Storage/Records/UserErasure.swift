import CarillonCore

/// The counts of the data that the erasure of a user has erased.
package struct UserErasure: Sendable, Hashable {
    /// The number of installations on which the user was signed in before the erasure.
    package var devices: Int
    /// The number of messages that only this user got, and whose contents were erased.
    package var messages: Int
    /// The number of erased inbox entries.
    package var inbox: Int
    /// The number of erased receipt details and replies, plus the number of deliveries from which the user's id was erased.
    package var deliveries: Int
    /// The number of rows that still contain the user's id.
    ///
    /// If the number is not 0, the erasure is incomplete.
    package var remaining: Int
    /// The names of the files beside the database that an upgrade made before, and that still contain the user.
    package var copies: [String]
}
