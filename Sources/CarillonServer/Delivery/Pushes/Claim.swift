import CarillonCore

/// What a sender got.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// What was finished on the way: expired, or without a valid token.
    package var events: [TimelineEvent]
    /// Rows looked at, sent or not, and devices dealt with; 0 when nothing is due.
    package var examined: Int
    /// When something falls due next; `nil` when nothing waits.
    package var nextDue: Timestamp?
}
