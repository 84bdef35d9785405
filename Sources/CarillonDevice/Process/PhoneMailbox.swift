import Dispatch
import Synchronization

/// A mailbox that passes calls from other threads (timers, apps, the network) to the phone on the main queue, and counts the
/// calls that have not run yet.
final class PhoneMailbox: Sendable {
    private let count = Mutex(0)
    private let observers: PhoneObservers

    init(observers: PhoneObservers) { self.observers = observers }

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
}
