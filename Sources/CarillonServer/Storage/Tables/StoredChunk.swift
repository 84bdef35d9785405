import CarillonCore

/// A ``RangeChunk`` with the keys of its row in the table `chunks`.
struct StoredChunk {
    let number: Int64
    /// The message's number in the store.
    let message: Int64
    /// The first device ordinal (running number in the app) that the ``RangeChunk`` covers.
    let first: Int64
    /// The number of the ``SendingChannel`` (an app in one APNs environment) to which the ``RangeChunk``'s pushes belong.
    ///
    /// The value does not change while the message is paused, although the column `channel` then has a negative number.
    let channel: Int64
    var chunk: RangeChunk
}
