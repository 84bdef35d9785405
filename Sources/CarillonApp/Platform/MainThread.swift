import Foundation

/// Runs `work` on the main thread: at once when this is it, as for the simulated phone's clock, else as soon as it is
/// free.
func onMainThread(_ work: @escaping @MainActor @Sendable () -> Void) {
    if Thread.isMainThread {
        MainActor.assumeIsolated(work)
    } else {
        Task { @MainActor in work() }
    }
}
