import Synchronization

/// The state of a simulated process, usable from any thread: running, suspended or ended.
///
/// The process runs while it is in front or has a ``Grant``, which is a permission to run in the background. Ending the last
/// grant suspends the process immediately, on the calling thread. The immediate suspension reveals work that an app does too
/// late.
final class ProcessGate: Sendable {
    enum Phase: Sendable, Hashable { case running, suspended, ended }

    /// A permission for a simulated process to run in the background, until ``take(_:)`` ends it.
    struct Grant: Sendable, Hashable { let number: Int }

    private struct State {
        var isInFront = false
        var hasEnded = false
        var grants: Set<Grant> = []
        var lastNumber = 0

        var phase: Phase {
            if hasEnded { return .ended }
            return isInFront || !grants.isEmpty ? .running : .suspended
        }
    }

    private let state = Mutex(State())

    var phase: Phase { state.withLock(\.phase) }

    func grant() -> Grant {
        state.withLock { state in
            state.lastNumber += 1
            let grant = Grant(number: state.lastNumber)
            state.grants.insert(grant)
            return grant
        }
    }

    /// Ends a grant: a permission to run in the background.
    ///
    /// - Returns: whether the end of the grant has suspended the process.
    @discardableResult
    func take(_ grant: Grant) -> Bool {
        state.withLock { state in
            let before = state.phase
            state.grants.remove(grant)
            return before == .running && state.phase == .suspended
        }
    }

    func setInFront(_ isInFront: Bool) { state.withLock { $0.isInFront = isInFront } }

    func end() { state.withLock { $0.hasEnded = true } }
}
