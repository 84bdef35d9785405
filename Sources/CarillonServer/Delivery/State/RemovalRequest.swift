import CarillonCore

/// That a message must leave one phone, and whether the phone says that it has.
package struct RemovalRequest: Sendable, Hashable {
    package var reason: Removal.Reason
    /// This revision and those before it.
    package var revision: Int
    package var requested: Timestamp
    /// When the phone said so; `nil` while it has not.
    package var confirmed: Timestamp?

    package init(_ reason: Removal.Reason, revision: Int, requested: Timestamp, confirmed: Timestamp? = nil) {
        self.reason = reason
        self.revision = revision
        self.requested = requested
        self.confirmed = confirmed
    }
}
