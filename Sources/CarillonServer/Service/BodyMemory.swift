import Synchronization

/// The bound on the bytes of request bodies that all calls together hold in memory.
///
/// A call counts with the length that it announces, or with the largest that a call may have if it announces none.
final class BodyMemory: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    /// - Parameter limit: the greatest number of bytes.
    init(limit: Int) { self.limit = limit }

    /// Counts a body, if there is room for it.
    ///
    /// - Returns: whether there is room. If so, the caller must call ``giveBack(_:)`` when its call has ended.
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held + bytes <= limit else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }
}
