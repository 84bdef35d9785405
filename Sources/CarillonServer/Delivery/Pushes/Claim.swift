import CarillonCore

/// The result of one claim: the deliveries that the sender may now send.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// The events of deliveries that ended during the claim, because they expired or their device has no valid token.
    package var events: [TimelineEvent]
    /// The amount of work in the claim: rows and devices examined, and chunks planned; 0 if nothing is due.
    package var examined: Int
    /// The time at which the next delivery falls due; `nil` if nothing waits.
    package var nextDue: Timestamp?
    /// Whether deliveries of the apps that were asked for wait, now or for a later time, or work that makes some.
    package var isAnythingWaiting = true
}
