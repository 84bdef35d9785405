import CarillonCore

/// The result of one claim: the deliveries that the sender may now send.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// The timeline events of deliveries that ended during the claim: they expired, or their device has no valid
    /// token.
    package var events: [TimelineEvent]
    /// The amount of work that the claim did: rows and devices examined, and chunks planned; 0 if nothing is due.
    package var examined: Int
    /// The time at which the next delivery falls due; `nil` if nothing waits.
    package var nextDue: Timestamp?
    /// Whether the requested apps have waiting deliveries, due now or later, or work that will create deliveries.
    package var isAnythingWaiting = true
}
