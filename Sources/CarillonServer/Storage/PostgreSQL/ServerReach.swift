import Synchronization

/// The knowledge of a process's connections that their server could not be reached a moment ago.
///
/// Calls that wait for a connection then fail together with the one that has tried, and do not each wait for as long as it has.
final class ServerReach: Sendable {
    private let failed = Mutex<(at: ContinuousClock.Instant, why: String)?>(nil)

    /// Returns why the server could not be reached, if that was a moment ago.
    var failure: String? {
        failed.withLock { failed in
            guard let failed, ContinuousClock.now - failed.at < StoreLimits.unreachableMemory else { return nil }
            return failed.why
        }
    }

    func noteFailure(_ why: String) { failed.withLock { $0 = (.now, why) } }

    func noteSuccess() { failed.withLock { $0 = nil } }
}
