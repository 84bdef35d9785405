import CarillonCore

/// A request that one phone remove a message, with the time of the phone's confirmation.
package struct RemovalRequest: Sendable, Hashable {
    package var reason: Removal.Reason
    /// The newest revision of the message that the phone must remove.
    ///
    /// The phone removes earlier revisions too.
    package var revision: Int
    package var requested: Timestamp
    /// The time at which the phone confirmed the removal; `nil` before.
    package var confirmed: Timestamp?

    package init(_ reason: Removal.Reason, revision: Int, requested: Timestamp, confirmed: Timestamp? = nil) {
        self.reason = reason
        self.revision = revision
        self.requested = requested
        self.confirmed = confirmed
    }
}
