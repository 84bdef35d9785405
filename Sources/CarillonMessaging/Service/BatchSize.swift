/// The size of the next batch of entries in a request to the service.
///
/// The service accepts or refuses a batch as a whole. After a refusal the batches shrink until the refused entry is alone, so
/// that all other entries arrive. For example, an older service may not know an entry that a newer SDK sends.
package struct BatchSize: Sendable, Hashable {
    private let full: Int
    /// The greatest number of entries in the next batch.
    package private(set) var count: Int

    /// Creates a batch size that begins with its maximum.
    ///
    /// - Parameter full: the greatest number of entries in any batch.
    package init(_ full: Int) {
        self.full = full
        count = full
    }

    /// Records that the service has accepted a batch; the next batch may have the maximum size again.
    package mutating func taken() { count = full }

    /// Records that the service has refused a batch for good: it would refuse the batch again.
    ///
    /// The next batch has half as many entries; after the refusal of a single entry, it may have the maximum size again.
    ///
    /// - Parameter entries: the number of entries in the refused batch.
    /// - Returns: whether the batch was a single entry; the caller must drop that entry.
    package mutating func refused(_ entries: Int) -> Bool {
        count = entries > 1 ? entries / 2 : full
        return entries <= 1
    }
}
