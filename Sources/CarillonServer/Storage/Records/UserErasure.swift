import CarillonCore

/// The counts of a user's erased data.
package struct UserErasure: Sendable, Hashable {
    /// The number of installations that were bound to the user.
    package var devices: Int
    /// The number of messages that only this user got.
    ///
    /// The contents of these messages are erased.
    package var messages: Int
    /// The number of erased inbox entries.
    package var inbox: Int
    /// The number of erased receipt details and replies, plus the number of deliveries from which the user's id was erased.
    package var deliveries: Int
    /// The number of rows that still contain the user's id.
    ///
    /// Any number other than 0 means that the erasure has failed.
    package var remaining: Int
    package var events: [TimelineEvent]
}
