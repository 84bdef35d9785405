import Synchronization

/// Limits the memory for the request bodies of all HTTP calls together.
///
/// Each call counts as many bytes as its `Content-Length` announces, at most the greatest length allowed. A call with
/// `Transfer-Encoding` counts the greatest length allowed.
final class BodyMemory: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    /// Creates a limit; no body is in memory yet.
    ///
    /// - Parameter limit: the greatest number of bytes that all bodies together may take.
    init(limit: Int) { self.limit = limit }

    /// Counts a call's body, unless the limit would be exceeded.
    ///
    /// - Returns: whether the body was counted. If so, ``giveBack(_:)`` must be called with `bytes` when the HTTP call has ended.
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held + bytes <= limit else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) { held.withLock { $0 -= bytes } }
}
