import CarillonCore

/// The state of a store and of its queues, as metrics show it.
package struct StoreReading: Sendable, Hashable {
    var health: StoreHealth
    var queues: [QueueReading]
    /// The bundle ids of all apps.
    var topics: Set<String> = []
}

/// The length of one queue of an app.
struct QueueReading: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable {
        /// The queue of due pushes that have a row of their own in `deliveries`.
        ///
        /// Pushes of stopped apps count; pushes that are held by a pause do not.
        case pushes
        /// The queue of devices to which the service must still send a message, for messages whose deliveries are kept as
        /// bitmaps, a bit for each device (``RangeRules``).
        ///
        /// A ``RangeChunk`` with an unsent push counts with all its devices.
        case broadcasts
        /// The queue of removals (rows of the table `removals`): requests to a phone to remove a message, which the phone has
        /// not confirmed.
        case removals
        /// The queue of devices that must still get a removal push, for messages whose deliveries are kept as bitmaps, a bit
        /// for each device (``RangeRules``).
        ///
        /// A ``RangeChunk`` with an unsent removal push counts with all its devices.
        case broadcastRemovals = "broadcast_removals"
    }

    var kind: Kind
    /// The app's bundle id.
    var topic: String
    var depth: Int
    /// The time at which the longest wait in this queue began; `nil` if that is not known.
    var oldest: Timestamp?
}
