import CarillonCore

/// What was erased about a user, counted in the transaction that did it.
package struct UserErasure: Sendable, Hashable {
    /// Installations that were bound to the user.
    package var devices: Int
    /// Messages for nobody else, whose content is gone.
    package var messages: Int
    /// Entries of the inbox.
    package var inbox: Int
    /// Details of receipts, such as a reply, and the user's name on deliveries.
    package var deliveries: Int
    /// Rows that still name the user after all this.
    ///
    /// 0, or the erasure is not to be believed.
    package var remaining: Int
    package var events: [TimelineEvent]
}
