import Dispatch
import Synchronization

/// A mailbox that passes calls from other threads (timers, apps, the network) to the phone on the main queue, and counts the
/// calls that have not run yet.
final class PhoneMailbox: Sendable {
    private let count = Mutex(0)
    private let observers: PhoneObservers
    private let history: PhoneHistory
    /// The number of callers that wait until the phone is at rest.
    private let awaitingRest = Atomic<Int>(0)

    init(observers: PhoneObservers, history: PhoneHistory) {
        self.observers = observers
        self.history = history
    }

    var isEmpty: Bool { count.withLock { $0 == 0 } }

    /// Posts a call to the main queue.
    ///
    /// - Parameters:
    ///   - cause: the event that has led to the call; the default is the current cause.
    ///   - body: runs on the main queue, after the blocks that are already there.
    func post(because cause: PhoneCause? = .current, _ body: @escaping @MainActor @Sendable () -> Void) {
        count.withLock { $0 += 1 }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                PhoneCause.$current.withValue(cause) { body() }
                self.count.withLock { $0 -= 1 }
                self.observers.changed(nil)
            }
        }
    }

    /// Posts the call of a timer, and records the timer in ``Phone/history`` as the cause of everything that `body` does.
    ///
    /// `cause` is the event that has set the timer.
    func postTimer(because cause: PhoneCause?, _ body: @escaping @MainActor @Sendable () -> Void) {
        post(because: cause) { PhoneCause.$current.withValue(self.history.note(.timer)) { body() } }
    }

    // MARK: at rest

    /// Calls `body`, which waits until the phone is at rest; until `body` returns, the caller counts as waiting for rest.
    @MainActor func awaitRest(_ body: () async throws -> Void) async rethrows {
        awaitingRest.add(1, ordering: .sequentiallyConsistent)
        defer { awaitingRest.subtract(1, ordering: .sequentiallyConsistent) }
        try await body()
    }

    /// Makes callers of ``awaitRest(_:)`` check again whether the phone is at rest.
    ///
    /// Called when a simulated process has no Swift tasks left off the main actor.
    func lastJobEnded() {
        if awaitingRest.load(ordering: .sequentiallyConsistent) > 0 { post {} }
    }
}
