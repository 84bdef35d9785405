import CarillonCore

/// The counts of a user's erased data, taken in the transactions that erased it.
package struct UserErasure: Sendable, Hashable {
    /// The number of installations that were bound to the user.
    package var devices: Int
    /// The number of messages for this user alone, whose content is gone.
    package var messages: Int
    /// The number of inbox entries.
    package var inbox: Int
    /// The number of erased details of receipts, such as a reply, and of erased names on deliveries.
    package var deliveries: Int
    /// The number of rows that still name the user afterwards.
    ///
    /// A number other than 0 means that the erasure has failed.
    package var remaining: Int
    package var events: [TimelineEvent]
}
