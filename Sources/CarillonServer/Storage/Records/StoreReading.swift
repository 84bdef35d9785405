import CarillonCore

/// The state of a store and of its queues, as metrics show it.
package struct StoreReading: Sendable, Hashable {
    var health: StoreHealth
    var queues: [QueueReading]
}

/// The length of one queue of an app.
struct QueueReading: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable {
        /// Due pushes that have a row of their own in `deliveries`; those of stopped apps count, those held by a pause do not.
        case pushes
        /// Devices to which the service must still send a message, for messages whose deliveries are kept as bitmaps, a bit for
        /// each device (``RangeRules``).
        ///
        /// A ``RangeChunk`` with an unsent push counts with all its devices.
        case broadcasts
        /// Rows of the table `removals`: requests to a phone to remove a message, which the phone has not confirmed.
        case removals
        /// Devices of each ``RangeChunk`` that still has a removal push to send; such a chunk counts with all its devices.
        case broadcastRemovals = "broadcast_removals"
    }

    var kind: Kind
    /// The app's bundle id.
    var topic: String
    var depth: Int
    /// The time at which the longest wait in this queue began; `nil` if that is not known.
    var oldest: Timestamp?
}
