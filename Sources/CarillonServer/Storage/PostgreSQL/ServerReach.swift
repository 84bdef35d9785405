import Synchronization

/// A record that the server could not be reached a moment ago, shared by several connections of a process.
///
/// After one call has waited in vain for the server, further calls that need a new connection fail at once. This lasts for
/// ``StoreLimits/unreachableMemory``.
final class ServerReach: Sendable {
    private let failed = Mutex<(at: ContinuousClock.Instant, why: String)?>(nil)

    /// The reason why the server could not be reached, if that was less than ``StoreLimits/unreachableMemory`` ago; otherwise
    /// `nil`.
    var failure: String? {
        failed.withLock { failed in
            guard let failed, ContinuousClock.now - failed.at < StoreLimits.unreachableMemory else { return nil }
            return failed.why
        }
    }

    func noteFailure(_ why: String) { failed.withLock { $0 = (.now, why) } }

    func noteSuccess() { failed.withLock { $0 = nil } }
}
