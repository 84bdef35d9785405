import CarillonCore

/// The progress of broadcasts, for the service's log.
///
/// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``), because the app
/// has many devices.
package struct BroadcastNews: Sendable, Hashable {
    /// A message whose sending has begun, and whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    struct Broadcast: Sendable, Hashable {
        var number: Int64
        var id: MessageID
        var topic: String
        var began: Timestamp
        /// Whether pushes may still wait or be in flight.
        var isUnderWay: Bool
    }

    /// The number of the newest message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``); 0 if there
    /// is no such message.
    var newest: Int64
    /// The broadcasts found by ``WatchingBroadcasts/news(after:_:)`` whose sending has begun.
    var broadcasts: [Broadcast]
    /// The message numbers of the broadcasts found by ``WatchingBroadcasts/news(after:_:)`` whose sending has not begun.
    var waiting: Set<Int64>
}
