import CarillonCore

/// What a worker got.
package struct Claim: Sendable, Hashable {
    package var deliveries: [ClaimedDelivery]
    /// What was finished on the way: expired, or without a valid token.
    package var events: [TimelineEvent]
    /// Rows looked at, sent or not; 0 when nothing is due.
    var examined: Int
}
