import Synchronization

/// A record that the PostgreSQL server could not be reached a moment ago, shared by several connections of a process.
///
/// After one call has waited for the server in vain, other calls that need a new connection fail at once, for a short time.
final class ServerReach: Sendable {
    private let memory: Duration
    private let failed = Mutex<(at: ContinuousClock.Instant, why: String)?>(nil)

    /// Creates a record that contains no failure yet.
    ///
    /// - Parameter memory: the time after a failure for which further calls fail at once. The default is
    ///   ``StoreLimits/unreachableMemory``.
    init(memory: Duration = StoreLimits.unreachableMemory) { self.memory = memory }

    /// The reason of the last failure to reach the server.
    ///
    /// The value is `nil` if there was no failure, if a call has reached the server since, or if the failure is older than the
    /// duration ``memory``.
    var failure: String? {
        failed.withLock { failed in
            guard let failed, ContinuousClock.now - failed.at < memory else { return nil }
            return failed.why
        }
    }

    func noteFailure(_ why: String) { failed.withLock { $0 = (.now, why) } }

    func noteSuccess() { failed.withLock { $0 = nil } }
}
