import CarillonCore

/// What one transaction has read of messages that are sent by ranges: many of its steps are about the same chunk.
final class ChunkCache {
    var chunks: [Int64: StoredChunk] = [:]
    /// Which of them are to be written back.
    var changed: Set<Int64> = []
    /// The first devices of chunks that were planned a moment ago, in the order of their places.
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether there is any such message; `nil` when nobody has asked.
    var hasRanges: Bool?
    /// Whether any such message of an app counts as unread.
    var counting: [Int64: Bool] = [:]
    /// Whether any such message of an app is to be removed from devices.
    var asking: [Int64: Bool] = [:]
    /// Devices to which a push has just gone that carries all they are to remove.
    var told: Set<String> = []
    /// What messages say, by their numbers, and in each language.
    var contents: [Int64: SQLRow] = [:]
    var variants: [ChunkVariant.Name: ChunkVariant] = [:]
}
