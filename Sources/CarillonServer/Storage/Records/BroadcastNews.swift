import CarillonCore

/// The broadcasts that are under way, and those that have ended, for the log.
///
/// A broadcast is a message that is sent as ranges of devices (``RangeRules``).
package struct BroadcastNews: Sendable, Hashable {
    /// A broadcast whose sending has begun.
    struct Broadcast: Sendable, Hashable {
        var number: Int64
        var id: MessageID
        var topic: String
        var began: Timestamp
        /// Whether pushes may still wait or be in flight.
        var isUnderWay: Bool
    }

    /// The greatest number of a message that the news cover.
    var newest: Int64
    /// The broadcasts that have begun, and of these the watched ones and those that the caller has not seen.
    var broadcasts: [Broadcast]
    /// The broadcasts whose time has not come.
    var waiting: Set<Int64>
}
