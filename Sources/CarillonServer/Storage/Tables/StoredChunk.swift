import CarillonCore

/// A ``RangeChunk`` with the keys of its row in the table `chunks`.
struct StoredChunk {
    let number: Int64
    /// The message's number in the store.
    let message: Int64
    /// The first device ordinal (running number in the app) that the ``RangeChunk`` covers.
    let first: Int64
    /// The number of the ``SendingChannel`` of the ``RangeChunk``'s pushes, also while the pushes are held because the message is
    /// paused.
    let channel: Int64
    var chunk: RangeChunk
}
