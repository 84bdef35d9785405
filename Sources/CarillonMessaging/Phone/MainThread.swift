import Dispatch

/// Runs `work` on the main queue: at once if this is the main queue, else as soon as it is free.
///
/// At once matters for the simulated phone's clock, which runs what is due before it goes on.
package func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
    if DispatchQueue.getSpecific(key: MainQueueMark.key) != nil {
        MainActor.assumeIsolated(work)
    } else {
        Task { @MainActor in work() }
    }
}

/// Marks the main queue: on Linux it is not bound to the main thread once `dispatchMain()` was called.
private enum MainQueueMark {
    static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
