import CarillonCore

/// A chunk of a message that is sent by ranges, with the names under which it is kept.
struct StoredChunk {
    let number: Int64
    /// The message's number.
    let message: Int64
    /// The ordinal of its first place.
    let first: Int64
    /// Where its pushes wait that are not held.
    let channel: Int64
    var chunk: RangeChunk
}
