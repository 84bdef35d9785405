import Dispatch
import Synchronization

/// Waits for rounds of the main queue, for one waiter at a time.
///
/// All rounds reuse one block, because every call of an app waits for some. One instance serves the whole program.
@MainActor final class MainQueueRounds {
    private nonisolated let left = Atomic<Int>(0)
    private var then: @MainActor () -> Void = {}
    /// `unsafe`: set once, before anybody has this object.
    private nonisolated(unsafe) var round: @Sendable @convention(block) () -> Void = {}

    init() { round = { self.passed() } }

    /// Calls `then` after `count` rounds; at once for none.
    func pass(_ count: Int, then: @escaping @MainActor () -> Void) {
        guard count > 0 else { return then() }
        left.store(count, ordering: .relaxed)
        self.then = then
        DispatchQueue.main.async(execute: round)
    }

    private nonisolated func passed() {
        guard left.subtract(1, ordering: .relaxed).newValue == 0 else {
            return DispatchQueue.main.async(execute: round)
        }
        MainActor.assumeIsolated {
            let then = then
            self.then = {}
            then()
        }
    }
}
