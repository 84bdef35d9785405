import CarillonCore

/// A chunk of a message that is sent by ranges, with the keys of its row.
struct StoredChunk {
    let number: Int64
    /// The message's number in the store.
    let message: Int64
    /// The ordinal of the chunk's first place.
    let first: Int64
    /// The channel of the chunk's pushes, unless they are held.
    let channel: Int64
    var chunk: RangeChunk
}
