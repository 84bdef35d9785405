/// The size of the next batch of entries in a request to the service.
///
/// The service accepts or refuses a batch as a whole. After a refusal the batches shrink until the refused entry is alone, so
/// that all other entries arrive. For example, an older service may not know an entry that a newer SDK sends.
package struct BatchSize: Sendable {
    private let full: Int
    /// The most entries in the next batch.
    package private(set) var count: Int

    /// Creates a size that begins with its maximum.
    ///
    /// - Parameter full: the most entries in any batch.
    package init(_ full: Int) {
        self.full = full
        count = full
    }

    /// Records that the service has accepted a batch.
    package mutating func taken() { count = full }

    /// Records that the service will never accept a batch of this many entries.
    ///
    /// - Returns: whether the batch is a single entry; the caller must drop that entry.
    package mutating func refused(_ entries: Int) -> Bool {
        count = entries > 1 ? entries / 2 : full
        return entries <= 1
    }
}
