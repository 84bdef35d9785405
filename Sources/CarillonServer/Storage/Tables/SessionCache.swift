import CarillonCore

/// Rows that one call has read and may ask for again: many of its steps are about the same chunk or the same message.
final class SessionCache {
    var chunks: [Int64: StoredChunk] = [:]
    /// The numbers of ``chunks`` that are still to be written back.
    var changed: Set<Int64> = []
    /// The first devices of chunks that were planned a moment ago, in the order of their places.
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether there is any message sent by ranges; `nil` when nobody has asked.
    var hasRanges: Bool?
    /// By app: whether any message that is sent by ranges counts as unread.
    var counting: [Int64: Bool] = [:]
    /// By app: whether any message that is sent by ranges is to be removed from devices.
    var asking: [Int64: Bool] = [:]
    /// Devices to which a push has just gone that carries all they are to remove.
    var told: Set<String> = []
    /// The rows of messages by their numbers, as ``MessagesTable`` has read them.
    var contents: [Int64: SQLRow] = [:]
    /// The contents of messages, decoded from ``contents``.
    var decoded: [Int64: MessageContent] = [:]
    /// The contents of messages that are sent by ranges, in each language.
    var variants: [ChunkVariant.Name: ChunkVariant] = [:]
    /// The devices of the one user whom a message is for, since they were counted.
    var counted: (user: String, app: Int64, devices: [SQLRow])?
}
