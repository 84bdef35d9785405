import CarillonCore

/// The result of one claim: the deliveries that a sender may now send.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// The events of deliveries that ended during the claim, because they expired or their device has no valid token.
    package var events: [TimelineEvent]
    /// Rows looked at, sent or not, and devices dealt with; 0 when nothing is due.
    package var examined: Int
    /// When something falls due next; `nil` when nothing waits.
    package var nextDue: Timestamp?
}
