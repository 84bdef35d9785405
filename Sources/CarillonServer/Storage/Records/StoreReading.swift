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
        /// Pushes with rows that are due; paused messages and stopped apps count too, except pushes held by a pause.
        case pushes
        /// Devices of messages to many whose push has not been claimed, in whole chunks (``RangeChunk``).
        case broadcasts
        /// Requests to remove a message that a phone has not confirmed, and that have rows.
        case removals
        /// Devices of chunks (``RangeChunk``) in which removal pushes wait, in whole chunks.
        case broadcastRemovals = "broadcast_removals"
    }

    var kind: Kind
    /// The app's bundle id.
    var topic: String
    var depth: Int
    /// The time since which the oldest entry has waited; `nil` if that is not known.
    var oldest: Timestamp?
}
