import Dispatch

/// Runs `work` on the main queue: at once when this is it, as for the simulated phone's clock, else as soon as it is
/// free.
func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
    if DispatchQueue.getSpecific(key: MainQueueMark.key) != nil {
        MainActor.assumeIsolated(work)
    } else {
        Task { @MainActor in work() }
    }
}

/// The main queue, recognised by a mark: on Linux it is not bound to the main thread once `dispatchMain()` was called.
private enum MainQueueMark {
    static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
