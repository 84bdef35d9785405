import CarillonCore

/// The answer to a ``ClaimRequest``: the deliveries that the sender has leased and may now send.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// The amount of work that the store did to find due deliveries: rows and devices examined, and chunks (``RangeChunk``)
    /// created.
    ///
    /// The amount is 0 if nothing is due.
    package var examined: Int
    /// The time at which the next delivery falls due; `nil` if nothing waits.
    package var nextDue: Timestamp?
    /// Whether the requested apps have waiting deliveries, due now or later, or tasks that will create deliveries.
    package var isAnythingWaiting = true
}
