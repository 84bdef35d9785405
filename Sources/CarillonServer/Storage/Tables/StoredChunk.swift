import CarillonCore

/// A chunk of a range-sent message, with the keys of its row.
struct StoredChunk {
    let number: Int64
    /// The message's number.
    let message: Int64
    /// The ordinal of its first place.
    let first: Int64
    /// The channel in which its pushes wait while they are not held.
    let channel: Int64
    var chunk: RangeChunk
}
