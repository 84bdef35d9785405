import Dispatch

/// Runs `work` on the main queue: immediately if the caller is on that queue, else as soon as the queue is free.
///
/// The simulated phone's clock depends on the immediate call, because the clock runs all due work before it advances.
package func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
    if DispatchQueue.getSpecific(key: MainQueueMark.key) != nil {
        MainActor.assumeIsolated(work)
    } else {
        Task { @MainActor in work() }
    }
}

/// A mark on the main queue, by which code recognises that it runs on that queue.
///
/// On Linux, `Thread.isMainThread` does not show this: the main queue is not bound to the main thread after `dispatchMain()`.
private enum MainQueueMark {
    static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
