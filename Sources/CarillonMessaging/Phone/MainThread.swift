import Dispatch

/// Runs `work` on the main queue: immediately if this is the main queue, else as soon as it is free.
///
/// The simulated phone's clock depends on the immediate call: it runs all due work before it goes on.
package func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
    if DispatchQueue.getSpecific(key: MainQueueMark.key) != nil {
        MainActor.assumeIsolated(work)
    } else {
        Task { @MainActor in work() }
    }
}

/// Marks the main queue: on Linux it is no longer bound to the main thread after `dispatchMain()`.
private enum MainQueueMark {
    static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
